-- What the agent of a server says of the certificate that customers meet there; null: it has not said so.
ALTER TABLE node_reports
  ADD COLUMN certificate_issuer text,
  ADD COLUMN certificate_until timestamptz,
  ADD COLUMN certificate_authority text;
COMMENT ON COLUMN node_reports.certificate_authority IS
  'SHA-256 in hexadecimal of the certificate that signed it; empty: it is not in the chain';

-- By which apps are told to trust the product's own authority.
ALTER TABLE authority ADD COLUMN fingerprint text NOT NULL GENERATED ALWAYS AS (
  encode(sha256(decode(regexp_replace(certificate, '-----[A-Z ]+-----|\s', '', 'g'), 'base64')), 'hex')
) STORED;
COMMENT ON COLUMN authority.fingerprint IS 'SHA-256 of the certificate, in hexadecimal';
