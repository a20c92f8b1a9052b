-- The device rule judges minutes in which more devices than allowed moved bytes: first it refuses the newest device,
-- after an hour it stops the account.
ALTER TABLE accounts
  ADD COLUMN max_devices int CHECK (max_devices BETWEEN 1 AND 100),
  ADD COLUMN abuse_since timestamptz,
  ADD COLUMN abuse_minutes int,
  ADD COLUMN cleared_by_owner timestamptz[] NOT NULL DEFAULT '{}',
  ADD COLUMN refusal jsonb;
COMMENT ON COLUMN accounts.max_devices IS 'null: the default of the settings';
COMMENT ON COLUMN accounts.cleared_by_owner IS 'when the owner cleared the abuse, for 30 days';
COMMENT ON COLUMN accounts.refusal IS 'the newest refusal of devices, as shown; over when its untilDate has passed';

ALTER TABLE devices ADD COLUMN refused_until timestamptz;
CREATE INDEX devices_of_network ON devices (network);
CREATE INDEX devices_refused ON devices (account_uuid) WHERE refused_until IS NOT NULL;

ALTER TABLE abuse_findings
  ADD COLUMN act text NOT NULL DEFAULT 'stop' CHECK (act IN ('refuse', 'stop')),
  ADD COLUMN entrance_uuid uuid;
COMMENT ON COLUMN abuse_findings.host_uuid IS 'the server of the account; null: from before this was noted';
COMMENT ON COLUMN abuse_findings.entrance_uuid IS 'the host that saw the addresses move bytes';
CREATE INDEX abuse_findings_of_entrance ON abuse_findings (entrance_uuid, at);

-- Samples of the former rule are not minutes.
DELETE FROM crowds;
COMMENT ON TABLE crowds IS 'minutes in which more devices than allowed moved bytes; at: the end of the minute';
