-- A node must tell accounts that were deleted or moved from accounts that the database has lost.
ALTER TABLE servers ADD COLUMN removals bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN servers.removals IS 'accounts that were deleted or moved away on purpose, counted in the same transaction; never goes back';
