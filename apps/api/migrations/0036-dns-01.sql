-- Certificates by DNS-01, which lego gets on the control plane.
CREATE TABLE dns_provider (
  id int PRIMARY KEY CHECK (id = 1),
  provider text NOT NULL,
  variables text[] NOT NULL,
  sealed bytea NOT NULL,
  updated_at timestamptz NOT NULL
);
COMMENT ON COLUMN dns_provider.variables IS 'names only; sealed has their values';

CREATE TABLE acme_accounts (
  directory text NOT NULL,
  email text NOT NULL,
  sealed bytea NOT NULL,
  PRIMARY KEY (directory, email)
);

CREATE TABLE failed_issuances (
  host_uuid uuid PRIMARY KEY,
  failures int NOT NULL,
  retry_at timestamptz NOT NULL
);

ALTER TABLE host_certificates ADD COLUMN renew_at timestamptz;
COMMENT ON COLUMN host_certificates.renew_at IS 'when a run gets the next one, by DNS-01 or from the host';
