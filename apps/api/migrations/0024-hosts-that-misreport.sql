-- Whose report stopped the account: a host may stop few of its accounts in a short time.
ALTER TABLE abuse_findings ADD COLUMN host_uuid uuid;
COMMENT ON COLUMN abuse_findings.host_uuid IS 'null: from before this was noted';
CREATE INDEX abuse_findings_of_host ON abuse_findings (host_uuid, at);

-- The starts of a host's core whose counters are kept; their number is limited.
CREATE TABLE node_boots (
  host_uuid uuid NOT NULL,
  boot_id text NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (host_uuid, boot_id)
);
COMMENT ON COLUMN node_boots.at IS 'when it was first reported';
INSERT INTO node_boots (host_uuid, boot_id, at)
  SELECT host_uuid, boot_id, min(at) FROM usage_counters GROUP BY host_uuid, boot_id;

-- What a host reported and was not taken, since no honest host would report it: it may be in other hands.
CREATE TABLE node_alerts (
  host_uuid uuid NOT NULL,
  alert text NOT NULL CHECK (alert IN ('abuse', 'boots', 'devices', 'foreign')),
  count int NOT NULL,
  since timestamptz NOT NULL,
  at timestamptz NOT NULL,
  audited_at timestamptz NOT NULL,
  PRIMARY KEY (host_uuid, alert)
);
CREATE INDEX node_alerts_by_age ON node_alerts (at);
ALTER TABLE node_states DROP COLUMN accused_at;
