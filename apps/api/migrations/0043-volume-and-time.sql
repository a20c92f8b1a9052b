-- Accounts with a limit of data, with days that begin at first use, and with further devices.
ALTER TABLE accounts
  ADD COLUMN starts_by timestamptz,
  ADD COLUMN first_used_at timestamptz,
  ADD COLUMN exhausted boolean NOT NULL DEFAULT false,
  ADD COLUMN extra_devices smallint NOT NULL DEFAULT 0 CHECK (extra_devices BETWEEN 0 AND 99);
COMMENT ON COLUMN accounts.starts_by IS 'days that begin at first use begin then at the latest, and expires_at counts from then; null: they have begun';
COMMENT ON COLUMN accounts.first_used_at IS 'null: not used yet, or the days began with the purchase';
COMMENT ON COLUMN accounts.exhausted IS 'the data of the present period is used up';
COMMENT ON COLUMN accounts.extra_devices IS 'devices above the default that its owner pays for each day';

DROP TRIGGER accounts_changed ON accounts;
CREATE TRIGGER accounts_changed
  BEFORE UPDATE OF enabled, expires_at, expiry_noted_at, server_uuid, tunnel_uuid, secret_number, starts_by, exhausted
  ON accounts
  FOR EACH ROW WHEN (
    (OLD.enabled, OLD.expires_at, OLD.server_uuid, OLD.tunnel_uuid, OLD.secret_number, OLD.starts_by, OLD.exhausted)
      IS DISTINCT FROM
    (NEW.enabled, NEW.expires_at, NEW.server_uuid, NEW.tunnel_uuid, NEW.secret_number, NEW.starts_by, NEW.exhausted)
    OR (OLD.expiry_noted_at IS NULL AND NEW.expiry_noted_at IS NOT NULL)
  ) EXECUTE FUNCTION count_change();

-- An account without a row has no limit. Change a row only while its account is locked.
CREATE TABLE data_limits (
  account_uuid uuid PRIMARY KEY REFERENCES accounts (uuid) ON DELETE CASCADE,
  bytes bigint NOT NULL CHECK (bytes > 0),
  monthly_bytes bigint CHECK (monthly_bytes > 0),
  used bigint NOT NULL DEFAULT 0 CHECK (used >= 0),
  period_began_at timestamptz NOT NULL
);
COMMENT ON COLUMN data_limits.bytes IS 'of the present period';
COMMENT ON COLUMN data_limits.monthly_bytes IS 'of each period of 30 days; null: the only period never ends';

-- What each server may let an account use, counted by the server itself.
CREATE TABLE data_leases (
  account_uuid uuid NOT NULL REFERENCES accounts (uuid) ON DELETE CASCADE,
  server_uuid uuid NOT NULL REFERENCES servers (uuid) ON DELETE CASCADE,
  frame uuid NOT NULL,
  spent bigint NOT NULL,
  held bigint NOT NULL,
  offered bigint NOT NULL,
  until bigint NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (account_uuid, server_uuid)
);
CREATE INDEX data_leases_of_server ON data_leases (server_uuid);
-- Reports update them all the time.
ALTER TABLE data_limits SET (fillfactor = 50);
ALTER TABLE data_leases SET (fillfactor = 50);

-- The list of a server says which accounts need a lease.
CREATE FUNCTION wake_node_of_limit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('kelid_nodes', server_uuid::text) FROM placements
    WHERE account_uuid = coalesce(NEW.account_uuid, OLD.account_uuid);
  RETURN NULL;
END $$;
CREATE TRIGGER data_limits_wake AFTER INSERT OR DELETE ON data_limits
  FOR EACH ROW EXECUTE FUNCTION wake_node_of_limit();

COMMENT ON COLUMN data_leases.held IS 'the count that the server last said it may reach';
COMMENT ON COLUMN data_leases.offered IS 'the count that it should hold';
COMMENT ON COLUMN data_leases.at IS 'when the count last grew';
COMMENT ON COLUMN data_leases.frame IS 'a server that lost its own count begins another one at 0';
COMMENT ON COLUMN data_leases.until IS 'the largest count that the server was ever allowed and has not given back';

ALTER TABLE ledger_transactions DROP CONSTRAINT ledger_transactions_movement_check;
ALTER TABLE ledger_transactions ADD CONSTRAINT ledger_transactions_movement_check
  CHECK (movement IN ('create', 'renew', 'data', 'debt', 'adjustment'));
DROP INDEX ledger_transactions_sold;
CREATE INDEX ledger_transactions_sold ON ledger_transactions (at, id) INCLUDE (movement)
  WHERE movement IN ('create', 'renew', 'data');
