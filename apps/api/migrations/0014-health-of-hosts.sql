-- What the probe from outside last found of each host. Whoever removes a host leaves its row to the next round.
CREATE TABLE probes (
  host_uuid uuid PRIMARY KEY,
  subject text NOT NULL CHECK (subject IN ('server', 'tunnel')),
  outcome text NOT NULL,
  detail text NOT NULL,
  failures int NOT NULL CHECK (failures >= 0),
  tried_at timestamptz NOT NULL,
  answered_at timestamptz,
  certificate_issuer text NOT NULL,
  certificate_until timestamptz
);

-- When a host that is in service came up or went down, and why; the one that holds has no end.
CREATE TABLE health_changes (
  host_uuid uuid NOT NULL,
  subject text NOT NULL CHECK (subject IN ('server', 'tunnel')),
  health text NOT NULL CHECK (health IN ('unknown', 'up', 'down')),
  reason text NOT NULL,
  detail text NOT NULL,
  since timestamptz NOT NULL,
  until timestamptz,
  PRIMARY KEY (host_uuid, since)
);
CREATE UNIQUE INDEX health_changes_one_holds ON health_changes (host_uuid) WHERE until IS NULL;
CREATE INDEX health_changes_by_end ON health_changes (until) WHERE until IS NOT NULL;
