-- Years of five digits break paging. Nobody loses anything that could be used.
UPDATE accounts SET expires_at = '9998-12-31T00:00:00Z' WHERE expires_at >= '9999-01-01T00:00:00Z';
ALTER TABLE accounts ADD CONSTRAINT accounts_expiry_in_range CHECK (expires_at < '9999-01-01T00:00:00Z');
