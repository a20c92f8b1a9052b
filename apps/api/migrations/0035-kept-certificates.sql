-- Certificates that hosts got by ACME, and those that the control plane got for them by DNS-01.
ALTER TABLE host_certificates DROP CONSTRAINT host_certificates_use_check;
ALTER TABLE host_certificates
  ADD CONSTRAINT host_certificates_use_check CHECK (use IN ('node', 'server', 'acme', 'dns'));
