import { isDeepStrictEqual } from 'node:util'
import type { Context, Db } from '../../context.ts'
import type { Processor } from '../../lib/processor.ts'
import { record } from '../audit/audit.ts'
import { announceAccountsOf } from '../events/events.ts'
import { forgetTraces, noteTrust, pinHostKey } from '../hosts/host-keys.ts'
import { findHost, setHostState } from '../hosts/hosts.ts'
import { actionOf, isMaintained, tryHoldHost } from '../hosts/kinds.ts'
import { giveUpgradeUp, noteInstalled } from '../hosts/programs.ts'
import { quicOptionsOf } from '../hosts/quic.ts'
import { forgetFailures, noteFailedUpkeep } from '../hosts/retries.ts'
import { openWays } from '../hosts/ways.ts'
import { type CertificateRow, keepCertificate, postponeNext } from './certificates.store.ts'
import { notePeers, noteServing } from './description.store.ts'
import { servingOf, tlsName } from './description.ts'
import { readAgainAfter } from './kept-certificates.ts'
import type { PreparedRun } from './prepare.ts'
import { withoutFiles } from './programs.ts'
import * as store from './provisioning.store.ts'
import { keyIn } from './run-folder.ts'
import { subjectOf } from './subject.ts'
import { ownHostKey } from './way-in.ts'

const hostOf = (run: store.RunRecord) => ({ kind: run.subject, uuid: run.subject_uuid })

/** false if an administrator has cancelled the run, removed the host or marked it as ready meanwhile. */
export const begin = (ctx: Context, run: store.RunRecord): Promise<boolean> =>
  ctx.atomically(async (tx) => {
    if (run.purpose === 'clean') return store.holdRun(tx, run)
    const host = await tryHoldHost(tx, hostOf(run))
    if (!host || !(await store.holdRun(tx, run))) return false
    if (!run.keeps_state) await setHostState(ctx, tx, hostOf(run), 'provisioning')
    else if (!isMaintained(host)) {
      // The host moved meanwhile and needs a full run.
      await store.finishRun(tx, run.uuid, 'superseded', ctx.clock.now())
      return false
    }
    return true
  })

/** If another run waits, that run decides the host's state. */
export const fail = (ctx: Context, run: store.RunRecord): Promise<boolean> =>
  finish(ctx, run, 'failed', async (tx) => {
    if (await store.hasWaiting(tx, run.subject_uuid)) return
    await giveUpgradeUp(ctx, tx, hostOf(run))
    if (run.keeps_state) await noteFailedUpkeep(ctx, tx, hostOf(run))
    else await setHostState(ctx, tx, hostOf(run), 'failed')
  })

export async function succeed(
  ctx: Context,
  run: store.RunRecord,
  prepared: PreparedRun,
  { certificate, processor }: { certificate: CertificateRow | null; processor: Processor | null },
): Promise<boolean> {
  const { subject, way, composed } = prepared
  const hostKey = way.by === 'local' ? await ownHostKey() : (way.pinned?.key ?? '')
  return finish(ctx, run, 'succeeded', async (tx) => {
    if (subject.kind === 'tunnel') {
      await notePeers(tx, subject.uuid, composed.peersDigest, subject.row.port)
      await openWays(ctx, tx, subject, composed)
    } else {
      const serving = servingOf(subject, composed, hostKey)
      await noteServing(tx, subject.uuid, composed.peersDigest, serving, composed.reality)
      const exits = subject.row.tunnel_type === '' ? [{ uuid: subject.uuid, known: serving }] : []
      await openWays(ctx, tx, subject, { ...composed, exits })
    }
    if (changesLinks(prepared)) await announceAccountsOf(ctx, tx, subject.kind, subject.uuid)
    if (certificate) await keepCertificate(tx, certificate)
    else if (composed.order) await postponeNext(tx, subject.uuid, readAgainAfter(ctx))
    if (subject.access.replacesPassword) await noteTrust(tx, subject.uuid, subject.ipv4)
    const programs = processor && composed.programs?.[processor]
    if (programs) await noteInstalled(tx, subject, processor, withoutFiles(programs))
    await forgetFailures(tx, subject)
    if (!(await store.hasWaiting(tx, run.subject_uuid))) await setHostState(ctx, tx, hostOf(run), 'ready')
  })
}

/** Links have the port and the name of the last successful run. */
const changesLinks = ({ subject, composed }: PreparedRun): boolean => {
  if (subject.kind === 'tunnel') return subject.row.served_port !== subject.row.port
  const { serving, port, reality, details } = subject.row
  return (
    serving?.port !== port ||
    serving.name !== tlsName(subject) ||
    reality?.publicKey !== composed.reality?.publicKey ||
    !isDeepStrictEqual(serving.quic, quicOptionsOf(details))
  )
}

const finish = (
  ctx: Context,
  run: store.RunRecord,
  end: 'succeeded' | 'failed',
  change: (tx: Db) => Promise<void>,
): Promise<boolean> =>
  ctx.atomically(async (tx) => {
    if (!(await tryHoldHost(tx, hostOf(run))) || !(await store.holdRun(tx, run))) return false
    await store.finishRun(tx, run.uuid, end, ctx.clock.now())
    await change(tx)
    return true
  })

/** Deletes the credentials of the old machine and all traces of a removed host. */
export async function finishCleaning(
  ctx: Context,
  run: store.RunRecord,
  end: 'succeeded' | 'failed' | 'superseded',
): Promise<boolean> {
  const ipv4 = (await subjectOf(ctx, run))?.ipv4 ?? null
  return ctx.atomically(async (tx) => {
    if (!(await store.holdRun(tx, run, run.state))) return false
    await store.finishRun(tx, run.uuid, end, ctx.clock.now())
    if (!(await findHost(tx, run.subject, run.subject_uuid))) await forgetTraces(tx, run.subject_uuid)
    const by = { email: run.asked_by, address: '' }
    const isClean = end === 'succeeded'
    await record(ctx, tx, by, actionOf(run.subject, 'clean'), run.subject_uuid, { isClean, ipv4 })
    return true
  })
}

/** Pins the key at the first contact, even if the host then refuses the login. Returns the pinned key. */
export async function pin(
  ctx: Context,
  { subject, way }: PreparedRun,
  knownHosts: string,
): Promise<PreparedRun['way']> {
  if (way.by === 'local' || way.pinned) return way
  const key = keyIn(knownHosts, subject)
  if (!key) return way
  return { ...way, pinned: await pinHostKey(ctx, subject.uuid, subject.ipv4, key) }
}
