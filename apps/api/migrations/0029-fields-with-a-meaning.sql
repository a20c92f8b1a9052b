-- No call returned serverConfigJson and nothing used it; from now on it is sealed with the other secrets.
UPDATE servers SET details = (details - 'serverConfigJson')
  || '{"serverFingerprint": "", "serverAlpn": "", "serverHasConfigJson": false}';

-- The port of the last successful run: links keep it until a run has opened another one.
ALTER TABLE tunnels ADD COLUMN served_port int;
UPDATE tunnels SET served_port = port WHERE told IS NOT NULL;
