-- What the regular check found at the sites that servers with REALITY show strangers.
CREATE TABLE target_checks (
  server_uuid uuid PRIMARY KEY REFERENCES servers (uuid) ON DELETE CASCADE,
  target text NOT NULL,
  sni text NOT NULL,
  problems text[] NOT NULL,
  failures int NOT NULL,
  since timestamptz NOT NULL,
  due_at timestamptz NOT NULL
);
COMMENT ON COLUMN target_checks.target IS 'the check counts while the server still has this target and SNI';
COMMENT ON COLUMN target_checks.since IS 'since when it is as it is: right, or wrong';
