ALTER TABLE relays ADD COLUMN connections int NOT NULL DEFAULT 4 CHECK (connections BETWEEN 4 AND 12);
COMMENT ON COLUMN relays.connections IS 'SSH connections of the tunnel to the server; never fewer, because an end cuts customers';
