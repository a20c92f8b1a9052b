-- Certificates of a host that were issued before this moment are revoked, also those that the database never knew or has
-- forgotten, as after a restore.
CREATE TABLE node_revocations (
  host_uuid uuid PRIMARY KEY,
  before timestamptz NOT NULL
);
CREATE TRIGGER node_revocations_wake AFTER INSERT OR UPDATE ON node_revocations
  FOR EACH ROW EXECUTE FUNCTION wake_host();
