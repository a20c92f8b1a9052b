ALTER TABLE accounts ADD COLUMN speed_limit int CHECK (speed_limit BETWEEN 1 AND 10000);
COMMENT ON COLUMN accounts.speed_limit IS 'in Mbit/s, on each way and in each direction; null: no limit';

-- The list of each of its servers says it, and they report when they have it.
CREATE TRIGGER accounts_speed_changed BEFORE UPDATE OF speed_limit ON accounts
  FOR EACH ROW WHEN (OLD.speed_limit IS DISTINCT FROM NEW.speed_limit) EXECUTE FUNCTION count_change();
