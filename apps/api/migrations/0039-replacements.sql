-- Hosts whose accounts get other hosts, a bounded number each minute.
CREATE TABLE replacements (
  uuid uuid PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('server', 'tunnel')),
  host_uuid uuid NOT NULL,
  reason text NOT NULL CHECK (reason IN ('blocked', 'down')),
  started_by text NOT NULL,
  started_at timestamptz NOT NULL,
  moved int NOT NULL DEFAULT 0,
  stuck int NOT NULL DEFAULT 0,
  finished_at timestamptz
);
CREATE UNIQUE INDEX replacements_open ON replacements (host_uuid) WHERE finished_at IS NULL;
CREATE INDEX replacements_of_host ON replacements (host_uuid, started_at);
COMMENT ON COLUMN replacements.stuck IS 'ways that had no other place when they were last looked at';
