ALTER TABLE users ADD COLUMN contact text NOT NULL DEFAULT '' CHECK (char_length(contact) <= 100);
COMMENT ON COLUMN users.contact IS 'whom customers ask, in the reseller''s own words; empty: the operator''s contact';
