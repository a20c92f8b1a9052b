-- A host in service stays in service when a run on it fails; the run is repeated after a pause.
ALTER TABLE servers
  ADD COLUMN upkeep_failures int NOT NULL DEFAULT 0,
  ADD COLUMN upkeep_retry_at timestamptz,
  ADD COLUMN set_by_hand boolean NOT NULL DEFAULT false,
  ADD COLUMN probe_applied_at timestamptz;
ALTER TABLE tunnels
  ADD COLUMN upkeep_failures int NOT NULL DEFAULT 0,
  ADD COLUMN upkeep_retry_at timestamptz,
  ADD COLUMN set_by_hand boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN servers.upkeep_failures IS 'failed runs in a row since the last one that succeeded';
COMMENT ON COLUMN servers.upkeep_retry_at IS 'null while no run has to be repeated';
COMMENT ON COLUMN servers.set_by_hand IS 'an administrator marked it as ready, and no run has succeeded since';
COMMENT ON COLUMN servers.probe_applied_at IS 'when its agent first reported that the core accepts the account of the probe';

-- How customers reach a server: through a tunnel, or directly if the entry is the server itself.
CREATE TABLE ways (
  exit_uuid uuid NOT NULL,
  entry_uuid uuid NOT NULL,
  known jsonb,
  relay_key text,
  outcome text NOT NULL DEFAULT '',
  detail text NOT NULL DEFAULT '',
  failures int NOT NULL DEFAULT 0,
  tried_at timestamptz,
  answered_at timestamptz,
  PRIMARY KEY (exit_uuid, entry_uuid)
);
CREATE INDEX ways_of_entry ON ways (entry_uuid);
COMMENT ON COLUMN ways.known IS 'where the last successful run of the entry found the exit, as in servers.serving';
COMMENT ON COLUMN ways.relay_key IS 'the SSH key of the tunnel that the last successful run of the server accepted';
COMMENT ON COLUMN ways.answered_at IS 'the last probe that got through; null again when `known` changes';

-- An earlier release took a host out of service when upkeep failed.
UPDATE servers SET state = 'ready', upkeep_failures = 1, upkeep_retry_at = now() WHERE state = 'failed' AND
  (SELECT keeps_state AND state = 'failed' FROM provision_runs WHERE subject_uuid = servers.uuid AND purpose = 'set-up'
   ORDER BY created_at DESC LIMIT 1);
UPDATE tunnels SET state = 'ready', upkeep_failures = 1, upkeep_retry_at = now() WHERE state = 'failed' AND
  (SELECT keeps_state AND state = 'failed' FROM provision_runs WHERE subject_uuid = tunnels.uuid AND purpose = 'set-up'
   ORDER BY created_at DESC LIMIT 1);

UPDATE servers SET set_by_hand = true WHERE state = 'ready' AND serving IS NULL;
UPDATE tunnels SET set_by_hand = true WHERE state = 'ready' AND told IS NULL;
-- What is sold today stays for sale until the probe finds that it does not work.
INSERT INTO ways (exit_uuid, entry_uuid, known, relay_key, answered_at)
  SELECT s.uuid, t.uuid, s.serving, t.relay_public_key, now() FROM servers s JOIN tunnels t ON t.type = s.tunnel_type
  WHERE s.serving IS NOT NULL AND t.told IS NOT NULL
  UNION ALL SELECT uuid, uuid, serving, NULL, now() FROM servers WHERE serving IS NOT NULL AND tunnel_type = '';
