-- An administrator's second factor: the sealed secret of an authenticator app. Of the codes that were taken the latest time
-- step is kept, so that none is taken twice.
CREATE TABLE second_factors (
  user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  secret bytea NOT NULL,
  started_at timestamptz NOT NULL,
  confirmed_at timestamptz,
  last_step bigint NOT NULL DEFAULT 0
);
COMMENT ON COLUMN second_factors.confirmed_at IS 'null: being set up, and not asked for';

-- Each is good for one use and is gone with it.
CREATE TABLE recovery_codes (
  user_id bigint NOT NULL REFERENCES second_factors ON DELETE CASCADE,
  hash bytea NOT NULL,
  PRIMARY KEY (user_id, hash)
);
COMMENT ON COLUMN recovery_codes.hash IS 'under the installation''s secret key';
