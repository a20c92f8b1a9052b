import { desired, getUserAccounts, newAccount, report } from '@kelid/contract'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { lockWaiters } from '../../../test/faults/remote.ts'
import { nodesForAllTests, outcomeOf } from '../../../test/nodes.ts'
import { directAccount } from '../../../test/sample-hosts.ts'
import { emptyReport } from '../../../test/security/samples.ts'
import { until } from '../../../test/until.ts'

const product = nodesForAllTests()

/** As many connections of one node, with as many requests at once. */
const crowdOf = (uuid: string, size: number) =>
  Promise.all(Array.from({ length: size }, () => product.nodeOf(uuid)))
test('requests of nodes leave room for users, and those of one node run one by one', async () => {
  const broken = await product.server()
  const others = [await product.server(), await product.server(), await product.server()]
  const person = await product.person({ points: 1_000 })
  const crowd = await crowdOf(broken, 12)
  const rest = await Promise.all(others.map((uuid) => product.nodeOf(uuid)))
  for (const one of [crowd[0], ...rest]) if (one) await product.ask(one, report, emptyReport())

  const asked = await product.ctx.db.transaction().execute(async (tx) => {
    await sql`SELECT FROM node_states FOR UPDATE`.execute(tx)
    const reports = [...crowd, ...rest].map((one) => outcomeOf(product.ask(one, report, emptyReport())))
    const waiting = () => lockWaiters(product)
    await until(async () => (await waiting()) === 3, 'a third of the connections to wait')
    expect((await person.ask(newAccount, directAccount)).accountName).toBe(directAccount.accountName)
    expect((await person.ask(getUserAccounts, {})).items).toHaveLength(1)
    expect(await waiting(), 'one of each node').toBe(3)
    return reports
  })
  const outcomes = await Promise.all(asked)
  expect(outcomes.slice(12), 'the others').toEqual(['OK', 'OK', 'OK'])
  const refused = outcomes.slice(0, 12).filter((one) => one !== 'OK')
  expect(new Set(refused)).toEqual(new Set(['TOO_MANY_ATTEMPTS']))
  // Eight of a node wait. A ninth is accepted if it got a connection before the other nodes took all three.
  expect([3, 4]).toContain(refused.length)
  const one = await product.nodeOf(broken)
  expect(await outcomeOf(product.ask(one, desired, { epoch: '', digest: '' }))).toBe('OK')
})
