import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { getUserAccounts, setEnabledBulk } from '@kelid/contract'
import autocannon from 'autocannon'
import type { Figure } from './figures.ts'
import { fill, type People } from './fill.ts'
import { interleaved, middle, middleRatio, type Pace, type Target } from './load.ts'
import type { MeasuredProcess } from './measured-process.ts'
import { ask, startProduct } from './product-process.ts'
import { creation, whoIsEach } from './targets.ts'

const floods = [150, 250]
const atMost = 5

/** One reseller switches the same accounts on and off over many connections, and repeats refused calls at once. */
function floodOf(product: MeasuredProcess, { reader }: People, accountUUIDs: string[], connections: number) {
  let turn = 0
  const next = (request: object) => ({
    ...request,
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${reader}`,
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify({
      client: 'bench',
      clientVersion: '1',
      accountUUIDs,
      accountEnabled: turn++ % 2 === 0,
    }),
  })
  return async () => {
    const requests = [{ method: 'POST' as const, path: setEnabledBulk.path, setupRequest: next }]
    const run = autocannon({ url: product.url, connections, duration: 3_600, requests })
    await new Promise<void>((answered) => run.once('response', answered))
    return async () => {
      run.stop()
      const { '2xx': accepted } = await run
      if (accepted === 0) throw new Error('the server accepted none of the bulk calls')
    }
  }
}

/** How long others wait while one reseller floods the server, relative to a quiet server. */
export async function flood(folder: string, pace: Pace): Promise<Figure[]> {
  const product = await startProduct(join(folder, 'data'), {})
  const people = await fill(join(folder, 'data'), { users: 100, accounts: 1_000 })
  const own = (await ask(product, getUserAccounts, people.reader, {})) as { accountUUID: string }[]
  const accountUUIDs = own.map(({ accountUUID }) => accountUUID)
  const figures: Figure[] = []
  for (const target of [whoIsEach(product, people), creation(product, people)]) {
    const under = floods.map(
      (size): Target => ({
        ...target,
        meanwhile: floodOf(product, people, accountUUIDs, size),
      }),
    )
    const [quiet = [], ...loud] = await interleaved([target, ...under], pace)
    for (const [index, slots] of loud.entries())
      figures.push({
        name: `${target.name} while one reseller sends ${floods[index]} bulk calls at once: p95 beside without`,
        value: middleRatio(slots, quiet, 'p95'),
        unit: 'x',
        atMost,
        detail: `p95 ${middle(slots, 'p95').toFixed(1)} ms beside ${middle(quiet, 'p95').toFixed(1)} ms`,
      })
  }
  await product.stop()
  return figures
}
