-- Further ways of an account to its other servers. The first way is in accounts.
CREATE TABLE account_ways (
  account_uuid uuid NOT NULL REFERENCES accounts (uuid) ON DELETE CASCADE,
  position int NOT NULL CHECK (position BETWEEN 2 AND 5),
  vpn_type text NOT NULL,
  tunnel_type text NOT NULL,
  server_uuid uuid NOT NULL REFERENCES servers,
  tunnel_uuid uuid REFERENCES tunnels,
  applied_revision int,
  PRIMARY KEY (account_uuid, position),
  UNIQUE (account_uuid, server_uuid)
);
CREATE INDEX account_ways_of_server ON account_ways (server_uuid);
CREATE INDEX account_ways_of_tunnel ON account_ways (tunnel_uuid);
COMMENT ON COLUMN account_ways.applied_revision IS 'the account''s revision that the agent of this server has applied';

-- All ways of all accounts.
CREATE VIEW placements AS
  SELECT uuid AS account_uuid, 1 AS position, vpn_type, tunnel_type, server_uuid, tunnel_uuid, applied_revision
  FROM accounts
  UNION ALL
  SELECT account_uuid, position, vpn_type, tunnel_type, server_uuid, tunnel_uuid, applied_revision FROM account_ways;

CREATE OR REPLACE FUNCTION wake_node() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM pg_notify('kelid_nodes', OLD.server_uuid::text); END IF;
  IF TG_OP <> 'DELETE' THEN PERFORM pg_notify('kelid_nodes', NEW.server_uuid::text); END IF;
  IF TG_OP = 'UPDATE' THEN
    PERFORM pg_notify('kelid_nodes', server_uuid::text) FROM account_ways WHERE account_uuid = NEW.uuid;
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION wake_node_of_way() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM pg_notify('kelid_nodes', OLD.server_uuid::text); END IF;
  IF TG_OP <> 'DELETE' THEN PERFORM pg_notify('kelid_nodes', NEW.server_uuid::text); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER account_ways_wake AFTER INSERT OR DELETE OR UPDATE OF server_uuid, tunnel_uuid ON account_ways
  FOR EACH ROW EXECUTE FUNCTION wake_node_of_way();

CREATE FUNCTION note_departure_of_way() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO departures (account_uuid, server_uuid, tunnel_uuid, at)
    VALUES (OLD.account_uuid, OLD.server_uuid, OLD.tunnel_uuid, now());
  RETURN NULL;
END $$;
CREATE TRIGGER account_ways_depart AFTER DELETE ON account_ways FOR EACH ROW EXECUTE FUNCTION note_departure_of_way();
CREATE TRIGGER account_ways_depart_moved AFTER UPDATE OF server_uuid, tunnel_uuid ON account_ways
  FOR EACH ROW WHEN ((OLD.server_uuid, OLD.tunnel_uuid) IS DISTINCT FROM (NEW.server_uuid, NEW.tunnel_uuid))
  EXECUTE FUNCTION note_departure_of_way();
