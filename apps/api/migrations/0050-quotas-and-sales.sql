-- What a provider lets a machine carry each month. All services of a machine have the same values.
ALTER TABLE servers
  ADD COLUMN quota int NOT NULL DEFAULT 0 CHECK (quota BETWEEN 0 AND 100000),
  ADD COLUMN quota_day smallint NOT NULL DEFAULT 1 CHECK (quota_day BETWEEN 1 AND 31),
  ADD COLUMN quota_state text NOT NULL DEFAULT '' CHECK (quota_state IN ('', 'low', 'exhausted'));
ALTER TABLE tunnels
  ADD COLUMN quota int NOT NULL DEFAULT 0 CHECK (quota BETWEEN 0 AND 100000),
  ADD COLUMN quota_day smallint NOT NULL DEFAULT 1 CHECK (quota_day BETWEEN 1 AND 31),
  ADD COLUMN quota_state text NOT NULL DEFAULT '' CHECK (quota_state IN ('', 'low', 'exhausted'));
COMMENT ON COLUMN servers.quota IS 'GB of 10^9 bytes in each month of the provider; 0: none';
COMMENT ON COLUMN servers.quota_day IS 'day of the month on which the month of the provider begins, at midnight UTC';
COMMENT ON COLUMN servers.quota_state IS 'as of the last count: low from 80%, exhausted hosts take no new accounts';

ALTER TABLE data_limits ADD COLUMN reminded smallint NOT NULL DEFAULT 0 CHECK (reminded IN (0, 80, 100));
COMMENT ON COLUMN data_limits.reminded IS 'the highest percentage that its owner was reminded of in this period';
-- Nobody is reminded of what happened before.
UPDATE data_limits SET reminded = CASE WHEN used >= bytes THEN 100 ELSE 80 END WHERE used >= bytes * 0.8;

-- What a reseller bought lately.
CREATE INDEX ledger_transactions_bought ON ledger_transactions (user_id, at)
  WHERE movement IN ('create', 'renew', 'data');
