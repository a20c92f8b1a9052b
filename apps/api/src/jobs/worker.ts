import type { Context } from '../context.ts'
import { giveCompensation, resendUnfinished } from '../features/compensations/compensate.job.ts'
import { proveWays } from '../features/health/prove.job.ts'
import { provision, resendOpenRuns } from '../features/provisioning/provision.job.ts'
import { sendSms } from '../features/sms/sms.job.ts'
import type { JobData } from './jobs.ts'
import { writeMark } from './marks.store.ts'
import { type RegularJob, regularJobs } from './regular.ts'

/** A user waits for requested jobs, so these poll more often; every poll costs. */
const paces = {
  // A slow host must not delay others.
  run: { pollSeconds: 2, atOnce: 1, hands: 5 },
  // New hosts are sold once they are probed.
  proof: { pollSeconds: 2, atOnce: 1 },
  // An administrator watches the progress but does not wait.
  gift: { pollSeconds: 5, atOnce: 1 },
  // A code must not wait behind others. A hanging gateway delays the next ones by its ten seconds.
  message: { pollSeconds: 1, atOnce: 20 },
  regular: { pollSeconds: 10, atOnce: 1 },
}

/** `signal` is aborted when the product stops: long work is left for another worker. */
export async function startWorker(ctx: Context, signal = new AbortController().signal): Promise<void> {
  const { boss, work } = ctx.jobs
  await work<JobData['provision']>('provision', paces.run, ({ run }) => provision(ctx, run, { signal }))
  await work<JobData['compensate']>('compensate', paces.gift, ({ compensation }) =>
    giveCompensation(ctx, compensation),
  )
  await work<JobData['prove']>('prove', paces.proof, () => proveWays(ctx, { signal }))
  if (ctx.config.KELID_SMS_URL)
    await work<JobData['sms']>('sms', paces.message, ({ code }) => sendSms(ctx, code))
  for (const job of regularJobs) {
    await boss.schedule(job.name, job.cron)
    await boss.send(job.name, {})
    await work(job.name, paces.regular, () => runRegular(ctx, job))
  }
  await resendOpenRuns(ctx)
  await resendUnfinished(ctx)
}

/** Records each success with its time, so that a job that silently stopped shows. */
export async function runRegular(ctx: Context, job: RegularJob): Promise<void> {
  try {
    const outcome = await job.run(ctx)
    await writeMark(ctx.db, job.name, ctx.clock.now(), outcome)
  } catch (error) {
    ctx.log.error({ err: error, job: job.name }, 'a regular job failed')
    throw error
  }
}
