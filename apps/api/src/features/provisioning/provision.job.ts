import { join } from 'node:path'
import type { Context } from '../../context.ts'
import { keepProgramsBeside } from '../hosts/programs.ts'
import { retireRealityKeys } from '../hosts/reality.ts'
import { provisionAgain, refreshRelays } from '../hosts/relays.ts'
import { hostsToRetry } from '../hosts/retries.ts'
import { BadCertificate } from './certificate-files.ts'
import type { CertificateRow } from './certificates.store.ts'
import { renewServerCertificates } from './certificates.ts'
import { begin, fail, finishCleaning, pin, succeed } from './conclude.ts'
import { confinementOf } from './confinement.ts'
import { rowOf } from './kept-certificates.ts'
import { holding, leaveRun, releaseRun, resendLostRuns, takeRun } from './lease.ts'
import { isStillLeft, mayBegin, sendDueCleanings } from './left-machine.ts'
import { createLogPump } from './log-pump.ts'
import { type Ending, type Outcome, provisioningDir, runPlaybook } from './playbook.ts'
import { type PreparedRun, prepare } from './prepare.ts'
import * as store from './provisioning.store.ts'
import { writeLog } from './provisioning.ts'
import { createRunFolder } from './run-folder.ts'
import { endedBecause, lostTooOften, notCleaned, notConfined, notKept, whyFailed } from './sentences.ts'
import { subjectOf } from './subject.ts'
import { secretsOf } from './way-in.ts'

export interface HowToRun {
  signal?: AbortSignal
  playbook?: string
  timeLimit?: number
}

const defaults = {
  playbook: join(provisioningDir, 'site.yml'),
  timeLimit: 60 * 60_000,
}

export async function provision(ctx: Context, uuid: string, how: HowToRun = {}): Promise<void> {
  const { signal = new AbortController().signal, playbook, timeLimit } = { ...defaults, ...how }
  if (signal.aborted || !(await mayBegin(ctx, uuid))) return
  const run = await takeRun(ctx, uuid)
  if (!run) return
  let isLeft = false
  try {
    if (!(await begin(ctx, run)) || !(await isStillLeft(ctx, run))) return
    const prepared = await holding(ctx, run, () => prepare(ctx, run, playbook))
    if (typeof prepared === 'string') await failRun(ctx, run, prepared)
    else isLeft = await executeRun(ctx, run, prepared, { signal, playbook, timeLimit })
  } finally {
    if (!isLeft) await releaseRun(ctx, run)
  }
  await ctx.jobs.send(ctx.db, 'prove', {})
  await ctx.jobs.send(ctx.db, 'rollout', {})
  await refreshRelays(ctx)
  await sendDueCleanings(ctx)
}

async function failRun(ctx: Context, run: store.RunRecord, reason: string): Promise<void> {
  const isCleaning = run.purpose === 'clean'
  await writeLog(ctx, run, isCleaning ? notCleaned(reason) : reason, [], { always: true })
  if (isCleaning) await finishCleaning(ctx, run, 'failed')
  else {
    await fail(ctx, run)
    // Before the next run of the machine begins.
    await keepProgramsBeside(ctx, { kind: run.subject, uuid: run.subject_uuid }, run.uuid)
  }
}

async function executeRun(
  ctx: Context,
  run: store.RunRecord,
  prepared: PreparedRun,
  { signal, playbook, timeLimit }: Required<HowToRun>,
): Promise<boolean> {
  const { subject, way, composed } = prepared
  if (composed.note) await writeLog(ctx, run, composed.note, [], { always: true })
  const folder = await createRunFolder(subject, way, composed.description)
  const log = createLogPump(
    (text) => writeLog(ctx, run, text, [...composed.secrets, ...secretsOf(way)]),
    (error) => ctx.log.warn({ err: error, run: run.uuid }, 'a part of a run log was lost'),
  )
  const checkThisRun = (alive: boolean) => checkRun(ctx, run, alive)
  // This machine is provisioned as root, so confining the run would protect nothing.
  const confinement = way.by === 'local' ? null : confinementOf(ctx.config.KELID_DATA_DIR, composed.files)
  const outcome = await runPlaybook(
    folder,
    playbook,
    { log, signal, timeLimit, look: checkThisRun },
    confinement,
  )
  if (outcome.unconfined) await noteUnconfined(ctx, run, outcome.unconfined)
  const pinnedRun = { ...prepared, way: await pin(ctx, prepared, outcome.hostKeys) }
  if (outcome.hasReached) await store.noteReached(ctx.db, run)
  await conclude(ctx, run, pinnedRun, outcome)
  return outcome.ended === 'stopping'
}

async function noteUnconfined(ctx: Context, run: store.RunRecord, reason: string): Promise<void> {
  ctx.log.warn({ run: run.uuid, reason }, notConfined(reason))
  await writeLog(ctx, run, notConfined(reason), [], { always: true })
}

async function checkRun(ctx: Context, run: store.RunRecord, alive: boolean): Promise<Ending | null> {
  const state = alive ? await store.beat(ctx.db, run, ctx.clock.now()) : await store.stateOf(ctx.db, run)
  if (state === undefined) return 'taken over'
  return state === 'running' ? null : 'called off'
}

async function conclude(
  ctx: Context,
  run: store.RunRecord,
  prepared: PreparedRun,
  outcome: Outcome,
): Promise<void> {
  const { ended, task } = outcome
  if (ended === 'taken over') return
  if (ended === 'too long') return failRun(ctx, run, endedBecause(ended, task))
  if (ended) {
    await writeLog(ctx, run, endedBecause(ended, task), [], { always: true })
    if (ended === 'stopping') await leaveRun(ctx, run)
    return
  }
  const reason = whyFailed(outcome, prepared.subject.sshPort)
  if (reason) return failRun(ctx, run, reason)
  if (run.purpose === 'clean') await finishCleaning(ctx, run, 'succeeded')
  else {
    const certificate = await certificateFrom(ctx, run, prepared, outcome)
    await succeed(ctx, run, prepared, { certificate, processor: outcome.processor })
  }
}

async function certificateFrom(
  ctx: Context,
  run: store.RunRecord,
  { subject, composed: { order } }: PreparedRun,
  { certificate }: Outcome,
): Promise<CertificateRow | null> {
  if (!order || certificate === '') return null
  const row = rowOf(ctx, subject.uuid, order, certificate)
  if (!(row instanceof BadCertificate)) return row
  await writeLog(ctx, run, notKept(row.message), [], { always: true })
  return null
}

/** Queues runs whose job was lost, for example by a restore. */
export async function resendOpenRuns(ctx: Context): Promise<void> {
  // Of a version that let only one host run at an address.
  for (const run of await store.openRunsWithoutAddress(ctx.db)) {
    const subject = await subjectOf(ctx, run)
    if (subject) await store.setAddress(ctx.db, run.uuid, subject.ipv4)
  }
  for (const run of await store.openRuns(ctx.db)) await ctx.jobs.send(ctx.db, 'provision', { run })
}

/** Every minute: lost and failed runs, outdated peers, machines to clean, and certificates that expire soon. */
export async function maintainRuns(ctx: Context): Promise<Record<string, number>> {
  const lost = await resendLostRuns(ctx, async (run) => {
    await failRun(ctx, run, lostTooOften)
    await releaseRun(ctx, run)
  })
  let retried = 0
  for (const host of await hostsToRetry(ctx)) retried += await provisionAgain(ctx, host)
  const refreshed = await refreshRelays(ctx)
  const cleanings = await sendDueCleanings(ctx)
  await retireRealityKeys(ctx)
  return { ...lost, retried, refreshed, cleanings, renewed: await renewServerCertificates(ctx) }
}
