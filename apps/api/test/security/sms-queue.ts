import { sendSms } from '../../src/features/sms/sms.job.ts'
import type { JobData } from '../../src/jobs/jobs.ts'
import type { Product } from '../product.ts'

/** What the worker does with the messages that wait, without waiting for its next look at the queue. */
export async function sendWaiting({ ctx }: Product): Promise<void> {
  const { boss } = ctx.jobs
  for (;;) {
    const [job] = await boss.fetch<JobData['sms']>('sms')
    if (!job) return
    await sendSms(ctx, job.data.code).then(
      () => boss.complete('sms', job.id),
      (error: Error) => boss.fail('sms', job.id, error),
    )
  }
}
