-- Whoever resumes a stream reads what is theirs, however much others were told in the meantime.
CREATE INDEX events_of_user ON events (user_id, xid, id) WHERE user_id IS NOT NULL;
CREATE INDEX events_of_administrators ON events (xid, id) WHERE user_id IS NULL;
