-- Somebody who is suspended has no session and gets none. Accounts that were closed with them are marked, so that exactly
-- these are opened again.
ALTER TABLE users
  ADD COLUMN suspended_at timestamptz,
  ADD COLUMN suspended_reason text NOT NULL DEFAULT '',
  ADD COLUMN accounts_closed boolean NOT NULL DEFAULT false,
  ADD CHECK (suspended_at IS NOT NULL OR (suspended_reason = '' AND NOT accounts_closed));
ALTER TABLE accounts
  ADD COLUMN closed_by_suspension boolean NOT NULL DEFAULT false,
  ADD CHECK (NOT (closed_by_suspension AND enabled));

-- Since when there has been a debt without a break: the first entry behind the last one that left none.
ALTER TABLE users ADD COLUMN debt_since timestamptz;
UPDATE users u SET debt_since = coalesce(
  (SELECT t.at FROM ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id
   WHERE e.user_id = u.id AND e.unit = 'cents' AND e.id > coalesce(
     (SELECT max(paid.id) FROM ledger_entries paid
      WHERE paid.user_id = u.id AND paid.unit = 'cents' AND paid.balance = 0), 0)
   ORDER BY e.id LIMIT 1),
  u.created_at)
WHERE debt_cents > 0;

CREATE INDEX users_by_tunnel_credit ON users (tunnel_credit DESC, id DESC);
-- Whoever owes nothing comes last.
CREATE INDEX users_by_debt_age ON users (coalesce(debt_since, '9999-12-31T00:00:00Z'::timestamptz), id);
CREATE INDEX accounts_of_all_by_age ON accounts (created_at, uuid);

COMMENT ON COLUMN idempotency_keys.reply IS 'given again word for word; a purchase of one account names that instead';
