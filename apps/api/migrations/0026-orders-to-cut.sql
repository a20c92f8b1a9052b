-- An exit orders all ports of an account at an address at once.
ALTER TABLE node_cuts ADD COLUMN exit_uuid uuid, ADD COLUMN ports text;
COMMENT ON COLUMN node_cuts.port IS 'the newest port; the only one if ports is null';
COMMENT ON COLUMN node_cuts.ports IS 'a bit for each of 65,536 ports, raw deflate, base64';
