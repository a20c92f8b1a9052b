import { randomUUID } from 'node:crypto'
import {
  addServer,
  addTunnel,
  defaultSettings,
  getSettings,
  provisionServer,
  setSettings,
  setUserLevel,
  signIn,
  signUp,
} from '@kelid/contract'
import { expect, test } from 'vitest'
import { openSession } from '../../src/features/auth/auth.ts'
import { sampleServer, sampleTunnel } from '../sample-hosts.ts'
import { scale } from '../scale.ts'
import { parallel, race, racedForAllTests, tally, together } from './races.ts'

const rounds = scale(2, 20)

const product = racedForAllTests()

const count = async (rows: string, ...values: unknown[]) =>
  (await product.sql(`SELECT FROM ${rows}`, ...values)).length

race('a server that is added 50 times at once has one run, one job and one audit entry', async () => {
  const serverUUID = randomUUID()
  const body = { ...sampleServer(), serverUUID }
  const replies = await together(() => product.admin.call(addServer, body))
  expect(tally(replies)).toEqual({ done: parallel })
  expect(new Set(replies.map(({ envelope }) => JSON.stringify(envelope))).size).toBe(1)
  expect(await count('provision_runs WHERE subject_uuid = $1', serverUUID)).toBe(1)
  expect(
    await count(
      `pgboss.job, provision_runs WHERE data ->> 'run' = uuid::text AND subject_uuid = $1`,
      serverUUID,
    ),
  ).toBe(1)
  expect(await count('audit WHERE subject = $1', serverUUID)).toBe(1)
})

race('of two bodies with one tunnelUUID one is added and the other refused', async () => {
  const tunnelUUID = randomUUID()
  const body = { ...sampleTunnel(), tunnelUUID }
  const replies = await together((index) =>
    product.admin.call(addTunnel, { ...body, tunnelName: `thr-${index % 2}` }),
  )
  expect(tally(replies)).toEqual({ done: parallel / 2, UUID_TAKEN: parallel / 2 })
  expect(await count('provision_runs WHERE subject_uuid = $1', tunnelUUID)).toBe(1)
})

test('provisioning that is requested 50 times at once leaves one queued run', async () => {
  const serverUUID = await product.server()
  const replies = await together(() => product.admin.call(provisionServer, { serverUUID }))
  expect(tally(replies)).toEqual({ done: parallel })
  expect(await count(`provision_runs WHERE subject_uuid = $1 AND state = 'queued'`, serverUUID)).toBe(1)
})

race('settings that are changed field by field at once all change', async (round) => {
  const next = {
    defaultCreditRate: 100 + round,
    pointsPerDay: { ...defaultSettings.pointsPerDay, trojan: 10 + round, 'hysteria2-direct': 20 + round },
    tunnelCreditPerDay: round,
    renewal: round % 2 ? ('replace' as const) : ('extend' as const),
    maxDevices: 1 + round,
    secondFactor: 'optional' as const,
    certificates: {
      source: round % 2 ? ('own' as const) : ('acme' as const),
      acmeDirectory: 'https://acme.example.com/directory',
      acmeEmail: '',
    },
  }
  const changes = Object.entries(next).map(([name, value]) => ({ [name]: value }))
  const replies = await together(
    (index) => product.admin.call(setSettings, changes[index] ?? {}),
    changes.length,
  )
  expect(tally(replies)).toEqual({ done: changes.length })
  expect((await product.admin.call(getSettings, {})).answer()).toEqual(next)
})

test('signing in many times at once leaves no more sessions than are allowed', async () => {
  const credentials = { email: 'many@example.com', password: 'Many-Times-7' }
  await product.call(signUp, credentials)
  await product.call(signIn, credentials)
  expect(tally(await together(() => product.call(signIn, credentials), 20))).toEqual({ done: 20 })
  const sessions = 'sessions JOIN users ON users.id = user_id WHERE email = $1'
  expect(await count(sessions, credentials.email)).toBe(10)
})

race('sessions opened in the same moment do not pass the limit together', async () => {
  const { ctx } = product
  const origin = { address: '192.0.2.1', userAgent: 'test' }
  const { id } = await product.person()
  await together(() => ctx.atomically((tx) => openSession(ctx, tx, id, origin)), 30)
  expect(await count('sessions WHERE user_id = $1', id)).toBe(10)
})

test('one of two last administrators remains when both are demoted at once', async () => {
  await product.sql('UPDATE users SET level = 1 WHERE level > 5')
  const pair = [await product.person({ level: 10 }), await product.person({ level: 10 })] as const
  for (let round = 0; round < rounds; round += 1) {
    await product.sql('UPDATE users SET level = 10 WHERE id IN ($1, $2)', ...pair.map(({ id }) => id))
    const [one, other] = [await product.again(pair[0]), await product.again(pair[1])]
    const replies = await together((index) => {
      const [by, who] = index % 2 ? [one, index % 4 === 1 ? one : other] : [other, index % 4 ? other : one]
      return by.call(setUserLevel, { userEmail: who.email, value: 1 })
    })
    const { done, ...refused } = tally(replies)
    expect(done).toBeGreaterThan(0)
    for (const type of Object.keys(refused))
      expect(['LAST_ADMIN', 'UNAUTHENTICATED', 'ACCESS_DENIED']).toContain(type)
    expect(await count('users WHERE level > 5')).toBe(1)
  }
})
