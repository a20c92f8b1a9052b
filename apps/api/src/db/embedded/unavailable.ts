export class EmbeddedUnavailable extends Error {
  override readonly name = 'EmbeddedUnavailable'
}

const operatorsErrors = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOSPC',
  'EDQUOT',
  'ENOTDIR',
  'EEXIST',
  'EMFILE',
])

export function explain(error: unknown, dataDir: string): unknown {
  if (!(error instanceof Error) || error instanceof EmbeddedUnavailable) return error
  if (!operatorsErrors.has(codeOf(error) ?? '')) return error
  return new EmbeddedUnavailable(
    `The data folder ${dataDir} cannot be used (${error.message}): see that it has room and belongs to the user who runs Kelid, or set KELID_DATA_DIR to another folder.`,
    { cause: error },
  )
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
