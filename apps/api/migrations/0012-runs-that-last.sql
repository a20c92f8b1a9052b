-- A run is held by a worker for as long as its heart beats; a worker that falls silent has lost it. Whatever has become of
-- the run meanwhile, nobody else touches its host while it is held.
ALTER TABLE provision_runs
  ADD COLUMN purpose text NOT NULL DEFAULT 'set-up' CHECK (purpose IN ('set-up', 'clean')),
  ADD COLUMN keeps_state boolean NOT NULL DEFAULT false,
  ADD COLUMN beat_at timestamptz,
  ADD COLUMN has_reached boolean NOT NULL DEFAULT false,
  ADD COLUMN last_words bytea;
COMMENT ON COLUMN provision_runs.keeps_state IS 'the host goes on as it is meanwhile: only who is at the other end of its tunnels has changed';
COMMENT ON COLUMN provision_runs.has_reached IS 'something was carried out on the host';
COMMENT ON COLUMN provision_runs.last_words IS 'sealed: the row of a removed host, until it is cleaned';
UPDATE provision_runs SET state = 'queued' WHERE state = 'running';
CREATE UNIQUE INDEX provision_runs_one_at_a_time ON provision_runs (subject_uuid) WHERE beat_at IS NOT NULL;

-- The product's own way into hosts.
CREATE TABLE ssh_key (
  id int PRIMARY KEY CHECK (id = 1),
  private bytea NOT NULL,
  public text NOT NULL,
  created_at timestamptz NOT NULL
);

-- Who answered at the address of a host when it was first reached there, and whether the product's own key opens it.
CREATE TABLE host_keys (
  host_uuid uuid PRIMARY KEY,
  address text NOT NULL,
  key text NOT NULL,
  fingerprint text NOT NULL,
  first_seen_at timestamptz NOT NULL,
  trusts_product boolean NOT NULL DEFAULT false
);

ALTER TABLE servers
  ADD COLUMN relay_secrets bytea,
  ADD COLUMN serving jsonb,
  ADD COLUMN told bytea;
ALTER TABLE tunnels
  ADD COLUMN secrets bytea,
  ADD COLUMN relay_key bytea,
  ADD COLUMN relay_public_key text,
  ADD COLUMN told bytea;
COMMENT ON COLUMN servers.serving IS 'where tunnels find it since its last run that succeeded; null while it has had none';
COMMENT ON COLUMN servers.told IS 'a digest of the other ends that it was last set up with; null while it never was';
COMMENT ON COLUMN tunnels.told IS 'a digest of the other ends that it was last set up with; null while it never was';

-- The port of a tunnel that leads to a server. It stays theirs for as long as both are there.
CREATE TABLE relays (
  tunnel_uuid uuid NOT NULL REFERENCES tunnels ON DELETE CASCADE,
  server_uuid uuid NOT NULL REFERENCES servers ON DELETE CASCADE,
  slot int NOT NULL CHECK (slot > 0),
  PRIMARY KEY (tunnel_uuid, server_uuid),
  UNIQUE (tunnel_uuid, slot)
);
CREATE INDEX relays_of_server ON relays (server_uuid);

-- What a host was given, so that it is given the same again until it nears its end: setting it up once more changes nothing.
CREATE TABLE host_certificates (
  host_uuid uuid NOT NULL,
  use text NOT NULL CHECK (use IN ('node', 'server')),
  name text NOT NULL,
  sealed bytea NOT NULL,
  until timestamptz NOT NULL,
  PRIMARY KEY (host_uuid, use)
);
