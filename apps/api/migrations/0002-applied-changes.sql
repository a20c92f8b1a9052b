-- What a node must enforce has a number that grows with each change; the node's agent reports the number it has applied.
ALTER TABLE accounts
  ADD COLUMN revision int NOT NULL DEFAULT 1,
  ADD COLUMN applied_revision int;
COMMENT ON COLUMN accounts.applied_revision IS 'as the agent of its server reported it; null: it has said nothing of this account';
ALTER TABLE servers ADD COLUMN reporting_since timestamptz;
COMMENT ON COLUMN servers.reporting_since IS 'null: no agent of this server reports what it has applied';

CREATE FUNCTION count_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.revision := OLD.revision + 1;
  RETURN NEW;
END $$;

-- In the database, so that no statement forgets it. A new subscription link is not the node's business.
CREATE TRIGGER accounts_changed BEFORE UPDATE OF enabled, expires_at, expiry_noted_at, server_uuid, tunnel_uuid ON accounts
  FOR EACH ROW WHEN (
    (OLD.enabled, OLD.expires_at, OLD.server_uuid, OLD.tunnel_uuid)
      IS DISTINCT FROM (NEW.enabled, NEW.expires_at, NEW.server_uuid, NEW.tunnel_uuid)
    OR (OLD.expiry_noted_at IS NULL AND NEW.expiry_noted_at IS NOT NULL)
  ) EXECUTE FUNCTION count_change();
