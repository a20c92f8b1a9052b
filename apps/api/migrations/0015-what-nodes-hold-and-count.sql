-- A change of the VPN key is the node's business: its number is the key's, since what is sealed cannot be compared.
ALTER TABLE accounts
  ADD COLUMN secret_number int NOT NULL DEFAULT 1,
  ADD COLUMN changed_at timestamptz,
  ADD COLUMN applied_ms bigint;
ALTER TABLE accounts ALTER COLUMN changed_at SET DEFAULT now();
COMMENT ON COLUMN accounts.changed_at IS 'by the clock of the database: when the revision was raised; null: before anybody noted it';
COMMENT ON COLUMN accounts.applied_ms IS 'how long the node took to apply the revision that holds; null: it has not yet';

CREATE OR REPLACE FUNCTION count_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.revision := OLD.revision + 1;
  NEW.changed_at := now();
  NEW.applied_ms := NULL;
  RETURN NEW;
END $$;

DROP TRIGGER accounts_changed ON accounts;
CREATE TRIGGER accounts_changed
  BEFORE UPDATE OF enabled, expires_at, expiry_noted_at, server_uuid, tunnel_uuid, secret_number ON accounts
  FOR EACH ROW WHEN (
    (OLD.enabled, OLD.expires_at, OLD.server_uuid, OLD.tunnel_uuid, OLD.secret_number)
      IS DISTINCT FROM (NEW.enabled, NEW.expires_at, NEW.server_uuid, NEW.tunnel_uuid, NEW.secret_number)
    OR (OLD.expiry_noted_at IS NULL AND NEW.expiry_noted_at IS NOT NULL)
  ) EXECUTE FUNCTION count_change();

-- Wakes the nodes that wait for news: the payload is the host's UUID, or nothing for all of them.
CREATE FUNCTION wake_node() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM pg_notify('kelid_nodes', OLD.server_uuid::text); END IF;
  IF TG_OP <> 'DELETE' THEN PERFORM pg_notify('kelid_nodes', NEW.server_uuid::text); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER accounts_wake AFTER INSERT OR DELETE ON accounts FOR EACH ROW EXECUTE FUNCTION wake_node();
CREATE TRIGGER accounts_wake_changed AFTER UPDATE ON accounts
  FOR EACH ROW WHEN (OLD.revision <> NEW.revision) EXECUTE FUNCTION wake_node();

CREATE FUNCTION wake_host() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('kelid_nodes', NEW.host_uuid::text);
  RETURN NULL;
END $$;
CREATE TRIGGER node_certificates_wake AFTER UPDATE OF revoked_at ON node_certificates
  FOR EACH ROW EXECUTE FUNCTION wake_host();

CREATE FUNCTION wake_nodes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('kelid_nodes', '');
  RETURN NULL;
END $$;
CREATE TRIGGER settings_wake AFTER INSERT OR UPDATE ON settings FOR EACH STATEMENT EXECUTE FUNCTION wake_nodes();

ALTER TABLE node_certificates ADD COLUMN is_renewal boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN node_certificates.is_renewal IS 'the node asked for it itself, over the channel that it had';

-- The list of each node as it was last composed. Whoever composes holds the row, so that numbers follow the composing.
CREATE TABLE node_lists (
  host_uuid uuid PRIMARY KEY,
  number bigint NOT NULL DEFAULT 0,
  digest text NOT NULL DEFAULT '',
  last_cut bigint NOT NULL DEFAULT 0,
  held_number bigint NOT NULL DEFAULT 0,
  may_shrink_until timestamptz,
  may_shrink_after bigint
);
COMMENT ON COLUMN node_lists.held_number IS 'the newest list that the node said it holds';
COMMENT ON COLUMN node_lists.may_shrink_after IS 'held_number when it was allowed: a later list that the node holds uses it up';

-- Connections that a relay has to end, as the exit saw them.
CREATE TABLE node_cuts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  host_uuid uuid NOT NULL,
  address text NOT NULL,
  port int NOT NULL,
  at timestamptz NOT NULL
);
CREATE INDEX node_cuts_of_host ON node_cuts (host_uuid, at);

-- What the agent of a host said last of its core, its load and its list.
CREATE TABLE node_states (
  host_uuid uuid PRIMARY KEY,
  core_version text NOT NULL,
  boot_id text NOT NULL,
  up_since timestamptz,
  connections bigint NOT NULL,
  load double precision NOT NULL,
  refused_list text NOT NULL CHECK (refused_list IN ('', 'older', 'smaller')),
  refused_since timestamptz,
  accused_at timestamptz,
  at timestamptz NOT NULL
);
COMMENT ON COLUMN node_states.accused_at IS 'when it last spoke of accounts that are not its own, and the audit log was told';

-- Where an account was before it was deleted or moved, for as long as its old node may still speak of it.
CREATE TABLE departures (
  account_uuid uuid NOT NULL,
  server_uuid uuid NOT NULL,
  tunnel_uuid uuid,
  at timestamptz NOT NULL
);
CREATE INDEX departures_of_account ON departures (account_uuid);
CREATE INDEX departures_by_age ON departures (at);
CREATE FUNCTION note_departure() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO departures (account_uuid, server_uuid, tunnel_uuid, at)
    VALUES (OLD.uuid, OLD.server_uuid, OLD.tunnel_uuid, now());
  RETURN NULL;
END $$;
CREATE TRIGGER accounts_depart AFTER DELETE ON accounts FOR EACH ROW EXECUTE FUNCTION note_departure();
CREATE TRIGGER accounts_depart_moved AFTER UPDATE OF server_uuid, tunnel_uuid ON accounts
  FOR EACH ROW WHEN ((OLD.server_uuid, OLD.tunnel_uuid) IS DISTINCT FROM (NEW.server_uuid, NEW.tunnel_uuid))
  EXECUTE FUNCTION note_departure();

-- The largest counters that a core has shown since it started; what they grew by is in the days and the totals.
CREATE TABLE usage_counters (
  host_uuid uuid NOT NULL,
  boot_id text NOT NULL,
  account_uuid uuid NOT NULL REFERENCES accounts (uuid) ON DELETE CASCADE,
  up bigint NOT NULL CHECK (up >= 0),
  down bigint NOT NULL CHECK (down >= 0),
  at timestamptz NOT NULL,
  PRIMARY KEY (host_uuid, boot_id, account_uuid)
);
CREATE INDEX usage_counters_of_account ON usage_counters (account_uuid);
CREATE TABLE usage_days (
  account_uuid uuid NOT NULL REFERENCES accounts (uuid) ON DELETE CASCADE,
  day date NOT NULL,
  up bigint NOT NULL CHECK (up >= 0),
  down bigint NOT NULL CHECK (down >= 0),
  PRIMARY KEY (account_uuid, day)
);
CREATE INDEX usage_days_by_age ON usage_days (day);
CREATE TABLE usage_totals (
  account_uuid uuid PRIMARY KEY REFERENCES accounts (uuid) ON DELETE CASCADE,
  up bigint NOT NULL DEFAULT 0 CHECK (up >= 0),
  down bigint NOT NULL DEFAULT 0 CHECK (down >= 0),
  last_seen_at timestamptz
);

-- From where an account is in use, without a pause; forgotten as soon as the rule against sharing is done with it.
CREATE TABLE devices (
  account_uuid uuid NOT NULL REFERENCES accounts (uuid) ON DELETE CASCADE,
  network text NOT NULL,
  first_seen_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  PRIMARY KEY (account_uuid, network)
);
COMMENT ON COLUMN devices.network IS 'an IPv4 address, or the /64 of an IPv6 one';
CREATE INDEX devices_by_age ON devices (last_seen_at);
-- Moments at which more devices than allowed used an account at once.
CREATE TABLE crowds (
  account_uuid uuid NOT NULL REFERENCES accounts (uuid) ON DELETE CASCADE,
  at timestamptz NOT NULL,
  devices int NOT NULL,
  PRIMARY KEY (account_uuid, at)
);
CREATE INDEX crowds_by_age ON crowds (at);
-- Why an account was stopped: how many devices when, and no address.
CREATE TABLE abuse_findings (
  account_uuid uuid NOT NULL REFERENCES accounts (uuid) ON DELETE CASCADE,
  at timestamptz NOT NULL,
  devices int NOT NULL,
  allowed int NOT NULL,
  samples jsonb NOT NULL,
  PRIMARY KEY (account_uuid, at)
);
