-- What resellers buy under a name and at a fixed price.
CREATE TABLE plans (
  uuid uuid PRIMARY KEY,
  revision int NOT NULL DEFAULT 1,
  names jsonb NOT NULL,
  ways jsonb NOT NULL,
  days smallint NOT NULL CHECK (days BETWEEN 1 AND 364),
  gigabytes int CHECK (gigabytes BETWEEN 1 AND 100000),
  data_reset text NOT NULL CHECK (data_reset IN ('none', 'monthly')),
  start text NOT NULL CHECK (start IN ('now', 'firstUse')),
  devices smallint CHECK (devices BETWEEN 1 AND 100),
  points bigint NOT NULL CHECK (points >= 0),
  tunnel_credit bigint NOT NULL CHECK (tunnel_credit >= 0),
  position int NOT NULL,
  active boolean NOT NULL,
  for_all boolean NOT NULL,
  created_at timestamptz NOT NULL,
  CHECK (data_reset = 'none' OR gigabytes IS NOT NULL)
);
COMMENT ON COLUMN plans.revision IS 'grows with each change; a quote names it';
COMMENT ON COLUMN plans.names IS 'by language';
COMMENT ON COLUMN plans.ways IS 'VPN type, tunnel type and country of each way, the first one first; country 0 is left to the reseller or to us';
COMMENT ON COLUMN plans.gigabytes IS 'of each period; null: no limit';
COMMENT ON COLUMN plans.devices IS 'null: the default of the settings';
COMMENT ON COLUMN plans.for_all IS 'false: only resellers in plan_resellers see it';

CREATE TABLE plan_resellers (
  plan_uuid uuid NOT NULL REFERENCES plans (uuid) ON DELETE CASCADE,
  user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (plan_uuid, user_id)
);
CREATE INDEX plan_resellers_of_user ON plan_resellers (user_id);

-- Plans change and end, what was sold does not, so no foreign keys.
ALTER TABLE ledger_transactions
  ADD COLUMN plan_uuid uuid,
  ADD COLUMN plan_names jsonb,
  ADD CHECK ((plan_uuid IS NULL) = (plan_names IS NULL));
COMMENT ON COLUMN ledger_transactions.plan_names IS 'by language, as they were when it was sold';

ALTER TABLE accounts
  ADD COLUMN plan_uuid uuid,
  ADD COLUMN plan_names jsonb,
  ADD COLUMN plan_terms jsonb,
  ADD CHECK ((plan_uuid IS NULL) = (plan_names IS NULL) AND (plan_uuid IS NULL) = (plan_terms IS NULL));
COMMENT ON COLUMN accounts.plan_uuid IS 'the plan that it was last bought or renewed by';
COMMENT ON COLUMN accounts.plan_terms IS 'ways and devices of that plan as they were then';
