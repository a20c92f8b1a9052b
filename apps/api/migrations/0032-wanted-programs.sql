-- Which core, agent and Node a host should run, and which of them the last successful run left there. Null before the
-- first run: it installs the newest.
ALTER TABLE servers
  ADD COLUMN processor text CHECK (processor IN ('x64', 'arm64')),
  ADD COLUMN wanted_programs jsonb,
  ADD COLUMN installed_programs jsonb,
  ADD COLUMN failed_upgrade jsonb;
ALTER TABLE tunnels
  ADD COLUMN processor text CHECK (processor IN ('x64', 'arm64')),
  ADD COLUMN wanted_programs jsonb,
  ADD COLUMN installed_programs jsonb,
  ADD COLUMN failed_upgrade jsonb;
COMMENT ON COLUMN servers.processor IS 'found by the last successful run';
COMMENT ON COLUMN servers.failed_upgrade IS 'what the last upgrade wanted, its run and its end; null unless it failed';
