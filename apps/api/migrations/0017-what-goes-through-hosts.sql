-- Bytes by the server that counted them and the host that customers came in by: a tunnel, or the server itself. Only the
-- reports of one server write its rows, and those go one after the other, so nobody waits here for anybody.
CREATE TABLE host_usage_days (
  exit_uuid uuid NOT NULL,
  entry_uuid uuid NOT NULL,
  day date NOT NULL,
  up bigint NOT NULL CHECK (up >= 0),
  down bigint NOT NULL CHECK (down >= 0),
  PRIMARY KEY (exit_uuid, entry_uuid, day)
);
CREATE INDEX host_usage_days_of_entry ON host_usage_days (entry_uuid);
CREATE INDEX host_usage_days_by_age ON host_usage_days (day);
CREATE TABLE host_usage_totals (
  exit_uuid uuid NOT NULL,
  entry_uuid uuid NOT NULL,
  up bigint NOT NULL CHECK (up >= 0),
  down bigint NOT NULL CHECK (down >= 0),
  PRIMARY KEY (exit_uuid, entry_uuid)
);
CREATE INDEX host_usage_totals_of_entry ON host_usage_totals (entry_uuid);
