import type { Config } from '../config.ts'
import type { Actor } from '../features/audit/audit.ts'

/** Results go to `say`, everything else to `note`. */
export interface Desk {
  readonly config: Config
  readonly say: (line: string) => void
  readonly note: (line: string) => void
  readonly signal: AbortSignal
  readonly flags: ReadonlySet<string>
}

export interface Command {
  readonly name: string
  readonly operands: readonly string[]
  readonly flags?: readonly string[]
  readonly summary: string
  readonly run: (desk: Desk, ...operands: string[]) => Promise<void>
}

export const byOperator: Actor = { email: 'command line', address: '' }

export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
}
