-- What is done to many accounts at once is answered once and for all: under the same key the same reply is given again.
ALTER TABLE idempotency_keys ADD COLUMN reply jsonb;
COMMENT ON COLUMN idempotency_keys.reply IS 'of an act on many accounts; a purchase of one names its account instead';
