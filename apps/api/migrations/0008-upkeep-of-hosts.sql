-- A host that takes no new accounts. Those it has go on, and so do their renewals.
ALTER TABLE servers ADD COLUMN paused boolean NOT NULL DEFAULT false;
ALTER TABLE tunnels ADD COLUMN paused boolean NOT NULL DEFAULT false;

-- Who asked for a run, and what becomes of the host when somebody calls it off before it has begun.
ALTER TABLE provision_runs
  ADD COLUMN asked_by text NOT NULL DEFAULT '',
  ADD COLUMN state_if_cancelled text NOT NULL DEFAULT 'failed' CHECK (state_if_cancelled IN ('ready', 'failed')),
  DROP CONSTRAINT provision_runs_state_check,
  ADD CONSTRAINT provision_runs_state_check
    CHECK (state IN ('queued', 'running', 'succeeded', 'failed', 'superseded', 'cancelled'));

-- Days given to the accounts of a host that was down. The host may be removed later, so its name is kept here.
CREATE TABLE compensations (
  uuid uuid PRIMARY KEY,
  subject text NOT NULL CHECK (subject IN ('server', 'tunnel')),
  subject_uuid uuid NOT NULL,
  subject_name text NOT NULL,
  days int NOT NULL CHECK (days > 0),
  down_from timestamptz,
  down_until timestamptz,
  reason text NOT NULL,
  given_by text NOT NULL,
  accounts int NOT NULL,
  done int NOT NULL DEFAULT 0,
  skipped int NOT NULL DEFAULT 0 CHECK (skipped >= 0 AND skipped <= done AND done <= accounts),
  created_at timestamptz NOT NULL,
  finished_at timestamptz
);
CREATE INDEX compensations_by_age ON compensations (created_at DESC, uuid DESC);
CREATE INDEX compensations_of_subject ON compensations (subject_uuid, created_at DESC, uuid DESC);
CREATE UNIQUE INDEX compensations_one_at_a_time ON compensations (subject_uuid) WHERE finished_at IS NULL;

-- The accounts that were on the host when it was confirmed. One may have been deleted before its turn, so nothing refers to it.
CREATE TABLE compensation_accounts (
  compensation_uuid uuid NOT NULL REFERENCES compensations,
  account_uuid uuid NOT NULL,
  done_at timestamptz,
  PRIMARY KEY (compensation_uuid, account_uuid)
);
CREATE INDEX compensation_accounts_waiting ON compensation_accounts (compensation_uuid, account_uuid) WHERE done_at IS NULL;
