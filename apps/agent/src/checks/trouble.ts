import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Input, report, TroubleKind } from '@kelid/contract'

export type Trouble = NonNullable<Input<typeof report>['troubles']>[number]

export interface Finding {
  readonly kind: TroubleKind
  readonly detail?: string
  /** Returns whether a repair was started. */
  readonly repair?: () => Promise<boolean>
}

/** Looks once. What it cannot look at is an error. */
export type Check = () => Promise<Finding | undefined>

const run = promisify(execFile)

export const ask = async (program: string, ...args: string[]): Promise<string> =>
  (await run(program, args, { timeout: 5_000, env: { LC_ALL: 'C' } })).stdout
