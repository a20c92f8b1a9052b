-- Devices are counted over all ways of an account, so each server's view of them is kept apart.
ALTER TABLE devices ADD COLUMN server_uuid uuid;
UPDATE devices SET server_uuid = a.server_uuid FROM accounts a WHERE a.uuid = account_uuid;
ALTER TABLE devices
  ALTER COLUMN server_uuid SET NOT NULL,
  DROP CONSTRAINT devices_pkey,
  ADD PRIMARY KEY (account_uuid, server_uuid, network);
COMMENT ON COLUMN devices.server_uuid IS 'which server reported the device';

CREATE TABLE movements (
  host_uuid uuid NOT NULL,
  network text NOT NULL,
  until timestamptz NOT NULL,
  slices int NOT NULL,
  PRIMARY KEY (network, host_uuid, until)
);
CREATE INDEX movements_of_host ON movements (host_uuid, until);
COMMENT ON TABLE movements IS 'in which slices of the last minutes the devices of accounts with several ways moved bytes, by the host where they come in';

-- A finding may rest on reports of several hosts, and counts against each of them.
ALTER TABLE abuse_findings DROP CONSTRAINT abuse_findings_pkey;
CREATE UNIQUE INDEX abuse_findings_once ON abuse_findings (account_uuid, at, host_uuid, entrance_uuid);

ALTER TABLE accounts
  ADD COLUMN target_country text NOT NULL DEFAULT '',
  ADD COLUMN target_operator text NOT NULL DEFAULT '';
COMMENT ON COLUMN accounts.target_country IS 'where the customer is, as said at the purchase; empty: not said';

-- Hosts that are blocked for customers of a country or an operator only.
CREATE TABLE host_blocks (
  host_uuid uuid NOT NULL,
  country text NOT NULL,
  operator text NOT NULL,
  also_unstated boolean NOT NULL,
  blocked_by text NOT NULL,
  since timestamptz NOT NULL,
  CHECK (country <> '' OR operator <> '')
);
CREATE UNIQUE INDEX host_blocks_once ON host_blocks (host_uuid, lower(country), lower(operator));
COMMENT ON COLUMN host_blocks.also_unstated IS 'also for accounts that do not state the country or operator';

ALTER TABLE replacements ADD COLUMN only_blocked boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN replacements.only_blocked IS 'of accounts for which the host is blocked, not of all';
DROP INDEX replacements_open;
CREATE UNIQUE INDEX replacements_open ON replacements (host_uuid, only_blocked) WHERE finished_at IS NULL;
