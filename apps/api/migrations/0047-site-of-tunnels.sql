-- Of servers it is in their details.
ALTER TABLE tunnels ADD COLUMN site text NOT NULL DEFAULT '';
COMMENT ON COLUMN tunnels.site IS 'a site that the host fetches for strangers; empty for its own';
