-- Found by a part of it, however many there are. Hosts are also searched by either address.
CREATE INDEX users_phone_search ON users USING gin (phone gin_trgm_ops) WHERE phone IS NOT NULL;
CREATE INDEX accounts_name_search ON accounts USING gin (name gin_trgm_ops);
CREATE INDEX servers_search ON servers USING gin (name gin_trgm_ops, url gin_trgm_ops, ipv4 gin_trgm_ops);
CREATE INDEX tunnels_search ON tunnels USING gin (name gin_trgm_ops, url gin_trgm_ops, ipv4 gin_trgm_ops);

-- The audit log is read newest first, by time as well as by who, whom and what.
CREATE INDEX audit_by_time ON audit (at, id);
CREATE INDEX audit_by_action ON audit (action, at, id);
DROP INDEX audit_by_actor, audit_by_subject;
CREATE INDEX audit_by_actor ON audit (actor, at, id);
CREATE INDEX audit_by_subject ON audit (subject, at, id);

-- What was sold on a day.
CREATE INDEX ledger_transactions_sold ON ledger_transactions (at, id) INCLUDE (movement)
  WHERE movement IN ('create', 'renew');
