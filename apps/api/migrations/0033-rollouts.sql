-- Upgrades of all hosts, a few at a time.
CREATE TABLE rollouts (
  uuid uuid PRIMARY KEY,
  programs jsonb NOT NULL,
  state text NOT NULL CHECK (state IN ('running', 'succeeded', 'failed', 'stopped')),
  started_at timestamptz NOT NULL,
  started_by text NOT NULL,
  finished_at timestamptz,
  failed_host uuid
);
COMMENT ON COLUMN rollouts.programs IS 'by the processor of the host';
CREATE UNIQUE INDEX rollouts_one_at_a_time ON rollouts (state) WHERE state = 'running';
COMMENT ON COLUMN rollouts.failed_host IS 'the host whose upgrade failed and ended this';
