import { ConfigError } from '../config.ts'
import { BackupRefusal } from '../db/backup/refusal.ts'
import { EmbeddedUnavailable } from '../db/embedded/embedded.ts'
import { whyNoDatabase } from '../db/failures.ts'
import { CommandFailure, UsageError } from './command.ts'

const plain = [ConfigError, EmbeddedUnavailable, BackupRefusal, CommandFailure, UsageError]

/** Errors that the operator can fix are one sentence; any other keeps its stack. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (plain.some((kind) => error instanceof kind)) return error.message
  if (error.name === 'AbortError') return 'Interrupted; nothing was changed.'
  return whyNoDatabase(error) ?? error.stack ?? error.message
}
