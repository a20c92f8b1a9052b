import type { Context } from '../../context.ts'
import { hostKeyAt } from '../hosts/host-keys.ts'
import { isServiceThere, lockAddresses } from '../hosts/occupancy.ts'
import { areTunnelsUpToDate } from '../hosts/relays.ts'
import { finishCleaning } from './conclude.ts'
import * as store from './provisioning.store.ts'
import { writeLog } from './provisioning.ts'
import { cleaningSkipped } from './sentences.ts'
import { presentOf, type Subject, subjectOf } from './subject.ts'
import { isThisMachine, ownHostKey } from './way-in.ts'

/**
 * The old machine of a host is cleaned once the host serves at its new address and every tunnel leads there, because
 * it serves customers until then. It is not cleaned if a host with its number is there again, if it is the same machine under another
 * address, or if its identity is unknown.
 */
export async function mayBegin(ctx: Context, uuid: string): Promise<boolean> {
  const run = await store.findCleaning(ctx.db, uuid)
  if (!run) return true
  const oldHost = await subjectOf(ctx, run)
  if (!oldHost) return true
  if (await isServiceThere(ctx.db, oldHost.ipv4, oldHost.service))
    return leaveAsItIs(ctx, run, cleaningSkipped.inUse)
  const present = await presentOf(ctx, run)
  if (!present) return true
  const [there, here] = [await whoIsAt(ctx, oldHost), await whoIsAt(ctx, present)]
  if (!there) return leaveAsItIs(ctx, run, cleaningSkipped.unknown)
  if (!here || !(await isInService(ctx, present))) return false
  const isSame = there === here && present.service === oldHost.service
  return isSame ? leaveAsItIs(ctx, run, cleaningSkipped.same) : true
}

/** A running cleaning blocks the address; a host that took it earlier keeps it. */
export async function isStillLeft(ctx: Context, run: store.RunRecord): Promise<boolean> {
  if (run.purpose !== 'clean') return true
  const oldHost = await subjectOf(ctx, run)
  const isTaken = await ctx.atomically(async (tx) => {
    await lockAddresses(tx)
    return oldHost !== null && isServiceThere(tx, oldHost.ipv4, oldHost.service)
  })
  return isTaken ? leaveAsItIs(ctx, run, cleaningSkipped.inUse) : true
}

async function whoIsAt(ctx: Context, { uuid, ipv4, pinned }: Subject): Promise<string | null> {
  if (isThisMachine(ctx, ipv4)) return (await ownHostKey()) || 'this machine'
  return (pinned ?? (await hostKeyAt(ctx.db, uuid, ipv4)))?.key ?? null
}

async function isInService(ctx: Context, { kind, row }: Subject): Promise<boolean> {
  if (row.state !== 'ready') return false
  return kind === 'tunnel' || row.tunnel_type === '' || areTunnelsUpToDate(ctx.db, row.tunnel_type)
}

async function leaveAsItIs(ctx: Context, run: store.RunRecord, sentence: string): Promise<false> {
  await writeLog(ctx, run, sentence, [])
  await finishCleaning(ctx, run, 'superseded')
  return false
}

/** Runs every minute and after every provisioning run. */
export async function sendDueCleanings(ctx: Context): Promise<number> {
  let sent = 0
  for (const { uuid } of await store.waitingCleanings(ctx.db))
    if (await mayBegin(ctx, uuid)) {
      await ctx.jobs.send(ctx.db, 'provision', { run: uuid })
      sent += 1
    }
  return sent
}
