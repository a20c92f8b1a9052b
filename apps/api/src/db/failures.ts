export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

const connectionCodes = /^(?:08|57P0|53)|^E(?:CONN|PIPE|TIMEDOUT|NOENT|HOSTUNREACH|AI_AGAIN)/
const connectionTexts =
  /timeout exceeded when trying to connect|timeout expired|Connection terminated|not queryable|Cannot use a pool|Client was closed/

export const isConnectionFailure = (error: unknown): boolean =>
  connectionCodes.test(codeOf(error)) || (error instanceof Error && connectionTexts.test(error.message))

const wrongAddress: Readonly<Record<string, string>> = {
  ENOTFOUND: 'names a host that cannot be found',
  EAI_AGAIN: 'names a host that cannot be found',
  '28P01': 'has a password that the server refuses',
  '28000': 'names a user whom the server does not let in',
  '3D000': 'names a database that does not exist',
}

/** null if the database is not the cause. The sentence omits the address, which contains a password. */
export function whyNoDatabase(error: unknown): string | null {
  const reason = (error instanceof Error && error.message) || codeOf(error) || 'no answer'
  const wrong = wrongAddress[codeOf(error)]
  if (wrong) return `DATABASE_URL ${wrong} (${reason}).`
  if (!isConnectionFailure(error)) return null
  return `The database does not answer: ${reason}. Check DATABASE_URL and that its server runs.`
}

/** The connection was lost during the commit, which may or may not have happened. */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super('the database went away during a commit', { cause })
    this.name = 'OutcomeUnknown'
  }
}

export const isUniqueViolation = (error: unknown, constraint: string): boolean =>
  codeOf(error) === '23505' && (error as { constraint?: string }).constraint === constraint
