import { randomUUID } from 'node:crypto'
import {
  addServer,
  addTunnel,
  defaultSettings,
  getSettings,
  provisionServer,
  type Settings,
  setSettings,
} from '@kelid/contract'
import { expect, test } from 'vitest'
import { openSession } from '../../src/features/auth/auth.ts'
import { sampleServer, sampleTunnel } from '../sample-hosts.ts'
import { parallel, race, racedForAllTests, tally, together } from './races.ts'

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
  const next: Settings = {
    defaultCreditRate: 100 + round,
    pointsPerDay: { ...defaultSettings.pointsPerDay, trojan: 10 + round, 'hysteria2-direct': 20 + round },
    pointsPerGB: { ...defaultSettings.pointsPerGB, trojan: round },
    tunnelCreditPerDay: round,
    pointsPerDayOfDevice: round,
    unlimitedAccounts: round % 2 === 0,
    customAccounts: round % 2 === 0,
    firstUseWaitDays: 1 + round,
    pointsPerDayOfWay: round,
    renewal: round % 2 ? 'replace' : 'extend',
    maxDevices: 1 + round,
    replaceDownAfter: round,
    waysPerAccount: { ...defaultSettings.waysPerAccount, trojan: 1 + (round % 5) },
    secondFactor: 'optional',
    certificates: {
      source: round % 2 ? 'own' : 'acme',
      acmeDirectory: 'https://acme.example.com/directory',
      acmeEmail: '',
    },
    clientHello: {
      ...defaultSettings.clientHello,
      trojan: { fingerprint: round % 2 ? 'firefox' : 'safari', alpn: 'http/1.1' },
    },
  }
  const changes = Object.entries(next).map(([name, value]) => ({ [name]: value }))
  const replies = await together(
    (index) => product.admin.call(setSettings, changes[index] ?? {}),
    changes.length,
  )
  expect(tally(replies)).toEqual({ done: changes.length })
  expect(await product.admin.ask(getSettings, {})).toEqual(next)
})

race('sessions opened in the same moment do not pass the limit together', async () => {
  const { ctx } = product
  const origin = { address: '192.0.2.1', userAgent: 'test' }
  const { id } = await product.person()
  await together(() => ctx.atomically((tx) => openSession(ctx, tx, id, origin)), 30)
  expect(await count('sessions WHERE user_id = $1', id)).toBe(10)
})
