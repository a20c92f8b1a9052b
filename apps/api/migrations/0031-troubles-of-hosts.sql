-- What agents find wrong with their hosts, while it lasts.
CREATE TABLE node_troubles (
  host_uuid uuid NOT NULL,
  kind text NOT NULL,
  detail text NOT NULL,
  repaired boolean NOT NULL,
  since timestamptz NOT NULL,
  PRIMARY KEY (host_uuid, kind)
);

ALTER TABLE node_states ADD COLUMN troubles_at timestamptz;
COMMENT ON COLUMN node_states.troubles_at IS 'last report that listed troubles; older agents never do';
