ALTER TABLE servers ADD COLUMN ssh_port int NOT NULL DEFAULT 22;
ALTER TABLE tunnels ADD COLUMN ssh_port int NOT NULL DEFAULT 22;
ALTER TABLE tunnels ADD COLUMN ipv6 text NOT NULL DEFAULT '';
COMMENT ON COLUMN servers.ssh_port IS 'where sshd answers runs, and after the next run the tunnels of type ssh';

-- Ways are open while both sides say the same, so both get the port that they have used so far.
UPDATE servers SET serving = serving || '{"sshPort": 22}' WHERE serving IS NOT NULL;
UPDATE ways SET known = known || '{"sshPort": 22}' WHERE known IS NOT NULL;
