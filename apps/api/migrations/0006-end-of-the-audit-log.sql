-- A hash chain shows a line that was changed, but not that its last lines are gone. Its end is therefore kept here too,
-- under a code that nobody makes without the installation's secret key; the next start writes it for a log that is there.
CREATE TABLE audit_end (
  id int PRIMARY KEY CHECK (id = 1),
  line bigint NOT NULL,
  hash bytea NOT NULL,
  mac bytea
);
INSERT INTO audit_end (id, line, hash) SELECT 1, id, hash FROM audit ORDER BY id DESC LIMIT 1;
