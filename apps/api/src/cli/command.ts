import type { Config } from '../config.ts'
import type { By } from '../features/audit/audit.ts'

/** Where a command finds its surroundings. Results go to `say`, everything else to `note`. */
export interface Desk {
  readonly config: Config
  readonly say: (line: string) => void
  readonly note: (line: string) => void
  /** Set off when the operator interrupts. */
  readonly signal: AbortSignal
  /** What was said with two hyphens before it. */
  readonly flags: ReadonlySet<string>
}

export interface Command {
  readonly name: string
  /** In brackets when it may be left out. */
  readonly operands: readonly string[]
  readonly flags?: readonly string[]
  readonly says: string
  readonly run: (desk: Desk, ...operands: string[]) => Promise<void>
}

export const byOperator: By = { email: 'command line', address: '' }

/** The command was not understood. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The command was understood and cannot be done, or found something wrong. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
}
