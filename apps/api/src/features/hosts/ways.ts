import type { Context, Db } from '../../context.ts'
import type { Host } from './kinds.ts'
import * as store from './ways.store.ts'

export {
  closedWays,
  type KnownExit,
  noteProbed,
  type ProbedWay,
  switchWaysOff,
  unprovenWays,
  type Way,
  waysOf,
} from './ways.store.ts'

export interface Opened {
  readonly exits: readonly store.KnownExit[]
  readonly relayKeys: readonly string[]
}

/** A run has told the host of its other ends. The ways are probed next, unless the operator wants no probes. */
export async function openWays(
  { config }: Pick<Context, 'config'>,
  tx: Db,
  { kind, uuid }: Host,
  { exits, relayKeys }: Opened,
): Promise<void> {
  if (kind === 'server') await store.noteRelayKeys(tx, uuid, relayKeys)
  await store.noteKnownExits(tx, uuid, exits, config.KELID_PROBES ? '' : 'OFF')
}
