ALTER TABLE servers
  ADD COLUMN reality jsonb,
  ADD COLUMN reality_keys bytea,
  ADD COLUMN reality_changed_at timestamptz;
COMMENT ON COLUMN servers.reality IS 'public key and short id that customers use: those of the last successful run';
COMMENT ON COLUMN servers.reality_keys IS 'sealed: the keys in force and, until the end of a change, those before';
COMMENT ON COLUMN servers.reality_changed_at IS 'since when two pairs of keys are in force';
