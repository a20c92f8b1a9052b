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

-- Every report rewrites rows of all accounts that are in use. With room on the page a new version stays beside the old one
-- and no index is touched; an index by age would be, and the hourly purge reads this small table whole just as well.
ALTER TABLE usage_counters SET (fillfactor = 50);
ALTER TABLE usage_days SET (fillfactor = 50);
ALTER TABLE usage_totals SET (fillfactor = 50);
ALTER TABLE devices SET (fillfactor = 50);
DROP INDEX devices_by_age;
