-- A machine can carry several hosts, each with a number of its own there.
ALTER TABLE servers ADD COLUMN service smallint NOT NULL DEFAULT 1 CHECK (service BETWEEN 1 AND 9);
ALTER TABLE tunnels ADD COLUMN service smallint NOT NULL DEFAULT 1 CHECK (service BETWEEN 1 AND 9);
COMMENT ON COLUMN servers.service IS 'its number on its machine; the playbook names files and units after it';

ALTER TABLE provision_runs ADD COLUMN address text;
COMMENT ON COLUMN provision_runs.address IS 'of the machine; runs there take turns';
UPDATE provision_runs run SET address = host.ipv4
  FROM (SELECT uuid, ipv4 FROM servers UNION ALL SELECT uuid, ipv4 FROM tunnels) host
  WHERE host.uuid = run.subject_uuid AND run.state = 'queued' AND run.purpose = 'set-up';
CREATE UNIQUE INDEX provision_runs_one_per_machine ON provision_runs (address) WHERE beat_at IS NOT NULL;

CREATE INDEX servers_by_address ON servers (ipv4);
CREATE INDEX tunnels_by_address ON tunnels (ipv4);
