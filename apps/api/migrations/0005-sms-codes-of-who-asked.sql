-- A code belongs to a phone and to the address that asked for it: a stranger who asks or guesses touches no code but their own.
-- The code itself is not here: it follows from the number of the request and the installation's secret key.
DROP TABLE sms_codes;
CREATE TABLE sms_codes (
  uuid uuid PRIMARY KEY,
  mobile text NOT NULL,
  address text NOT NULL,
  tries int NOT NULL,
  asked_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  UNIQUE (mobile, address)
);
CREATE INDEX sms_codes_by_age ON sms_codes (expires_at);
