-- What was done to somebody's account is found by whose it was, also after it is gone.
CREATE INDEX audit_by_owner ON audit ((detail::jsonb ->> 'userEmail'), at, id)
  WHERE (detail::jsonb ->> 'userEmail') IS NOT NULL;
