-- The keys of one user are counted, except those of purchases.
CREATE INDEX idempotency_keys_without_account ON idempotency_keys (user_id, created_at) WHERE account_uuid IS NULL;
