-- Hosts whose certificate another authority signed, as when this database is new or was put in the place of theirs. Anybody may
-- have made one up: a hint for an hour, and never many rows.
CREATE TABLE knocks (
  authority text NOT NULL CHECK (authority ~ '^[0-9a-f]{64}$'),
  host_uuid uuid NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (authority, host_uuid)
);
COMMENT ON COLUMN knocks.authority IS 'SHA-256 in hexadecimal of the certificate of the other authority';
