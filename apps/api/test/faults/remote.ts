import { availableParallelism, loadavg } from 'node:os'
import { type Call, type Envelope, type Sent, unwrap } from '@kelid/contract'
import { type Body, common, type Product, type Reply } from '../product.ts'

export type CallAt = <C extends Call>(
  call: C,
  body: Body<C>,
  headers?: Record<string, string>,
) => Promise<Reply<C>>

/** Calls to a process of the product at an address. */
export const callAt =
  (url: string, token?: string): CallAt =>
  async (call, body, headers = {}) => {
    const response = await fetch(new URL(call.path, url), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: JSON.stringify({ ...common, ...body }),
    })
    const envelope = (await response.json()) as Envelope
    return {
      status: response.status,
      headers: response.headers,
      envelope,
      errorType: envelope.response.error?.errorType,
      answer: () => unwrap(call, envelope) as Sent<typeof call>,
    }
  }

/** Waits for something to become true; a figure that matters is measured by the caller. */
export async function until(
  condition: () => Promise<boolean> | boolean,
  what: string,
  timeout = 60_000,
): Promise<void> {
  const deadline = Date.now() + timeout
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Not within ${timeout} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** How many statements wait for a lock that another transaction holds. */
export async function lockWaiters({ ctx }: Product): Promise<number> {
  const { rows } = await ctx.pool.query(
    `SELECT count(*) AS total FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  )
  return rows[0].total
}

export const isReady = async (url: string): Promise<boolean> =>
  fetch(new URL('/readyz', url)).then(
    ({ status }) => status === 200,
    () => false,
  )

/** A time that holds on a machine of one's own; where others run too, as much longer as they take away from us. */
export const fair = (milliseconds: number): number =>
  milliseconds * Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())

export const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? Number.NaN
