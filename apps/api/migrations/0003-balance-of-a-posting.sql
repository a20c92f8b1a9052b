-- Every posting cancels out by itself, and so does their sum: a look at what was added is enough, however long the ledger is.
CREATE OR REPLACE FUNCTION require_balance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM added GROUP BY transaction_id, unit HAVING sum(amount) <> 0) THEN
    RAISE EXCEPTION 'a ledger transaction does not balance' USING ERRCODE = 'check_violation';
  END IF;
  RETURN NULL;
END $$;
