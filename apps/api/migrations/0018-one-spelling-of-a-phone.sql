-- One number has one spelling from now on, as packages/contract/src/phones.ts has it. Where two users have one number in two
-- spellings, the one in that spelling keeps it, or else the older user; the audit log has what the other's was.
CREATE FUNCTION one_phone(phone text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN phone ~ '^((\+|00)?980?|\+?0)9[0-9]{9}$' THEN '0' || right(phone, 10)
    WHEN abroad ~ '^\+[1-9]' AND length(abroad) BETWEEN 11 AND 15 THEN abroad
    ELSE phone
  END
  FROM (SELECT '+' || regexp_replace(phone, '^(\+|00)', '') AS abroad) AS spelled
$$;

UPDATE users SET phone = NULL
WHERE id IN (
  SELECT id
  FROM (
    SELECT id, row_number() OVER (
      PARTITION BY one_phone(phone) ORDER BY phone <> one_phone(phone), id
    ) AS place
    FROM users
    WHERE phone IS NOT NULL
  ) AS spelled
  WHERE place > 1
);
UPDATE users SET phone = one_phone(phone) WHERE phone <> one_phone(phone);
DROP FUNCTION one_phone(text);
