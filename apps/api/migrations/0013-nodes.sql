-- The product's own authority, which signs what nodes show and what servers show where no public authority does.
CREATE TABLE authority (
  id int PRIMARY KEY CHECK (id = 1),
  certificate text NOT NULL,
  key bytea NOT NULL,
  created_at timestamptz NOT NULL
);
COMMENT ON COLUMN authority.certificate IS 'PEM';
COMMENT ON COLUMN authority.key IS 'sealed PKCS 8 in PEM';

-- What was issued to the agents of hosts. The host may be gone: what was taken back stays so until it has ended by itself.
CREATE TABLE node_certificates (
  serial text PRIMARY KEY,
  host_uuid uuid NOT NULL,
  issued_at timestamptz NOT NULL,
  until timestamptz NOT NULL,
  revoked_at timestamptz
);
CREATE INDEX node_certificates_of_host ON node_certificates (host_uuid);
CREATE INDEX node_certificates_by_end ON node_certificates (until);
COMMENT ON COLUMN node_certificates.serial IS 'hexadecimal, in capitals, as readers of certificates print it';

-- What the agent of a host said last of itself.
CREATE TABLE node_reports (
  host_uuid uuid PRIMARY KEY,
  agent_version text NOT NULL,
  core_version text NOT NULL,
  clock_offset_ms bigint NOT NULL,
  at timestamptz NOT NULL
);
COMMENT ON COLUMN node_reports.core_version IS 'empty: there is no core';
COMMENT ON COLUMN node_reports.clock_offset_ms IS 'how far its clock is ahead of ours';

-- Tells nodes one life of this database from another. It does not travel with a backup: a restored database makes its own.
CREATE TABLE epoch (
  id int PRIMARY KEY CHECK (id = 1),
  uuid uuid NOT NULL
);
