ALTER TABLE servers ADD COLUMN returned_at timestamptz;
ALTER TABLE tunnels ADD COLUMN returned_at timestamptz;
COMMENT ON COLUMN servers.returned_at IS 'since when it serves again after its accounts were replaced: it counts as full at first';
