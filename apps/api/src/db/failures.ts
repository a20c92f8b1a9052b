export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

const connectionCodes = /^(?:08|57P0|53)|^E(?:CONN|PIPE|TIMEDOUT|NOENT|HOSTUNREACH|AI_AGAIN)/
const connectionTexts =
  /timeout exceeded when trying to connect|timeout expired|Connection terminated|not queryable|Cannot use a pool|Client was closed/

/** The database could not be reached, as opposed to having refused the statement. */
export const isConnectionFailure = (error: unknown): boolean =>
  connectionCodes.test(codeOf(error)) || (error instanceof Error && connectionTexts.test(error.message))

/** The connection was lost during "commit": the transaction may have been kept or undone. */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super('the database went away during a commit', { cause })
    this.name = 'OutcomeUnknown'
  }
}

export const isUniqueViolation = (error: unknown, constraint: string): boolean =>
  codeOf(error) === '23505' && (error as { constraint?: string }).constraint === constraint
