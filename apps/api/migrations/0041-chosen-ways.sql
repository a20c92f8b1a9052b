ALTER TABLE accounts ADD COLUMN chosen_ways smallint NOT NULL DEFAULT 0 CHECK (chosen_ways BETWEEN 0 AND 4);
COMMENT ON COLUMN accounts.chosen_ways IS 'further ways that its owner chose and pays for each day';
