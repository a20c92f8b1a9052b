import { randomUUID } from 'node:crypto'
import type { Context, Db } from '../../context.ts'
import type { Actor } from '../audit/audit.ts'
import { hostKeyOf, type PinnedKey } from './host-keys.ts'
import { readRow } from './hosts.store.ts'
import type { Host } from './kinds.ts'
import type { Service } from './occupancy.store.ts'
import { insertCleaning } from './runs.store.ts'

const locationOf = (run: string) => `provision_runs.last_words.${run}` as const

/** Call it before the host's row changes: the run stores address, credentials and pinned key of the old machine. */
export async function queueCleaning(ctx: Context, tx: Db, by: Actor, host: Host): Promise<void> {
  const run = randomUUID()
  const { row } = await readRow(tx, host.kind, host.uuid)
  const words = JSON.stringify({ ...row, pinned: await hostKeyOf(tx, host) })
  const sealedCopy = ctx.seal.close(locationOf(run), words)
  await insertCleaning(tx, host, {
    uuid: run,
    askedBy: by.email,
    lastWords: sealedCopy,
    now: ctx.clock.now(),
  })
  await ctx.jobs.send(tx, 'provision', { run })
}

/** The row, and the key of its machine. Copies by earlier versions have no number. */
type HostCopy = Omit<Partial<Service>, 'name'> & { ipv4: string; name: string; pinned: PinnedKey | null }

export const hostCopyOf = (
  { seal }: Pick<Context, 'seal'>,
  run: { uuid: string; last_words: Buffer },
): HostCopy => JSON.parse(seal.open(locationOf(run.uuid), run.last_words), reviveBytes)

const reviveBytes = (_name: string, value: unknown) =>
  Object(value).type === 'Buffer' ? Buffer.from((value as { data: number[] }).data) : value
