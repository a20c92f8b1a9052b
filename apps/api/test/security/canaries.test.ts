import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import * as contract from '@kelid/contract'
import { type Call, calls, type Envelope } from '@kelid/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { codeAt, stepOf } from '../../src/features/second-factor/totp.ts'
import { common } from '../calls.ts'
import { databaseForAllTests, query } from '../database.ts'
import { openForAllTests } from '../hooks.ts'
import { type ProductProcess, startProcess } from '../process.ts'
import { freePort } from '../real/ports.ts'
import { directAccount, sampleServer, sampleTunnel } from '../sample-hosts.ts'
import { targetsWith } from './callers.ts'
import { canaries, findCanaries, keyBlock } from './canaries.ts'
import { otherServerUUID, outcomeOf, sampleBody, type TargetField, targetOf } from './samples.ts'
import { fromBase32 } from './second-factor.ts'
import { openFakeGateway } from './sms-gateway.ts'
import { type Answered, bearer, json, readEnvelope, send } from './wire.ts'

const database = databaseForAllTests()
const gateway = openForAllTests(openFakeGateway)
let product: ProductProcess
let metricsPort: number
/** Every reply, under the path that gave it. */
const replies: { path: string; reply: Answered }[] = []
/** Secrets that the product made itself: tokens, links and keys. */
const made: Record<string, string> = {}
type SessionItem = { sessionId: string; sessionIsCurrent: boolean }
const adminEmail = 'canary-admin@example.com'
const email = 'canary-user@example.com'
const mobile = '09121234567'

beforeAll(async () => {
  metricsPort = await freePort()
  product = await startProcess({
    DATABASE_URL: database.url,
    KELID_LOG_LEVEL: 'debug',
    KELID_METRICS_PORT: String(metricsPort),
    KELID_ADMIN_EMAIL: adminEmail,
    KELID_ADMIN_PASSWORD: canaries.adminPassword,
    KELID_SECRET_KEY: canaries.secretKey,
    KELID_SMS_URL: gateway.url,
    KELID_SMS_TOKEN: canaries.gatewayToken,
  })
  await drive()
})
afterAll(() => product?.kill('SIGTERM'))

async function post({ path }: Call, token: string | undefined, body: object, more: object = {}) {
  const headers = { ...json, ...bearer(token), ...more }
  const reply = await send(product.url, { path, headers, body: JSON.stringify({ ...common, ...body }) })
  replies.push({ path, reply })
  return readEnvelope(reply)
}
const resetPassword = 'password of an administrator for a user'
const first = <T>({ detailedResponse }: Envelope['response']) => detailedResponse[0] as T

async function enter(who: string, password: string): Promise<string> {
  const { token } = first<{ token: string }>(await post(contract.signIn, undefined, { email: who, password }))
  made[`token ${Object.keys(made).length}`] = token
  return token
}

function keepLinks(account: contract.SentAccount): void {
  made[`vpn key ${account.accountUUID}`] = /:\/\/([^@]+)@/.exec(account.accountQRString)?.[1] ?? 'none'
  made[`link ${account.accountSubscriptionPath}`] = account.accountSubscriptionPath.replace('/sub/', '')
}

/** Each at an address of its own. */
const newServer = () => ({
  ...sampleServer(),
  serverSSHUsername: canaries.sshUsername,
  serverSSHPassword: canaries.sshPassword,
  serverSSHKey: keyBlock,
  serverHostingName: canaries.hostingName,
  serverHostingUsername: canaries.hostingUsername,
  serverHostingPassword: canaries.hostingPassword,
})

/** Set up, renewed and removed by an administrator of their own, whose sample bodies no longer fit once it is on. */
async function driveSecondFactor(token: string, password: string): Promise<void> {
  const { secret } = first<{ secret: string }>(await post(contract.startSecondFactor, token, { password }))
  made['second factor'] = secret
  made['second factor, as bytes'] = fromBase32(secret).toString('hex')
  const now = stepOf(new Date())
  const code = (off: number) => codeAt(fromBase32(secret), now + off)
  const proof = (call: Call, off: number) => post(call, token, { password, code: code(off) })
  keepCodes(await post(contract.confirmSecondFactor, token, { code: code(-1) }))
  await proof(contract.newRecoveryCodes, -1)
  keepCodes(await proof(contract.newRecoveryCodes, 0))
  await post(contract.signIn, undefined, { email: adminEmail, password, secondFactorCode: code(0) })
  const [, secondFactorCode] = Object.entries(made).findLast(([name]) => name.startsWith('recovery')) ?? []
  const bySpare = { email: adminEmail, password, secondFactorCode }
  const { token: opened } = first<{ token: string }>(await post(contract.signIn, undefined, bySpare))
  made['token by a recovery code'] = opened
  await proof(contract.removeSecondFactor, 1)
}

function keepCodes(response: Envelope['response']): void {
  const { recoveryCodes } = first<{ recoveryCodes: string[] }>(response)
  for (const code of recoveryCodes) made[`recovery code ${Object.keys(made).length}`] = code
}

/** Secrets through every flow, in good, wrong and broken requests. */
async function drive(): Promise<void> {
  const admin = await enter(adminEmail, canaries.adminPassword)
  await driveSecondFactor(admin, canaries.adminPassword)
  const { serverUUID } = sampleBody(contract.addServer, targetsWith(null, ''))
  await post(contract.addServer, admin, { ...newServer(), serverUUID })
  await post(contract.addServer, admin, { ...newServer(), serverUUID, serverPort: 1 })
  await post(contract.addServer, admin, { ...newServer(), serverUUID, nickname: canaries.commonMistake })
  await post(contract.addServer, admin, { ...newServer(), serverUUID, serverPort: '1' })
  await post(contract.setServerReady, admin, { serverUUID, reason: 'set up by hand' })
  await post(contract.signUp, undefined, { email, password: canaries.signUpPassword })
  await post(contract.signUp, undefined, { email, password: canaries.signUpPassword })
  await post(contract.signIn, undefined, { email, password: canaries.wrongPassword })
  const tooLong = `${canaries.wrongPassword}${'x'.repeat(50)}`
  await post(contract.signIn, undefined, { email, password: tooLong })
  await post(contract.adjustUserCredit, admin, { userEmail: email, amount: 100_000, reason: 'paid' })
  await post(contract.setUserPhone, admin, { userEmail: email, userPhone: mobile })

  const user = await enter(email, canaries.signUpPassword)
  await post(contract.getUser, canaries.forgedToken, {})
  const { newPassword } = canaries
  for (const oldPassword of [canaries.wrongPassword, canaries.signUpPassword])
    await post(contract.changePassword, user, { oldPassword, newPassword })
  const key = { 'idempotency-key': canaries.idempotencyKey }
  const account = first<contract.SentAccount>(
    await post(contract.newAccount, user, { ...directAccount, accountDataLimit: 5 }, key),
  )
  keepLinks(account)
  await post(contract.newAccount, user, { ...directAccount, accountDuration: 9 }, key)
  const { accountUUID } = account
  keepLinks(first(await post(contract.renewSubscription, user, { accountUUID })))
  await post(contract.sendOtp, undefined, { mobile })
  const otp = await vi.waitFor(() => {
    const [sms] = gateway.sent
    if (!sms) throw new Error('no SMS was sent yet')
    return sms.code
  }, 20_000)
  await post(contract.checkOtp, undefined, { mobile, otp: otp === '0000' ? '1111' : '0000' })
  made.smsSession = first<{ secret: string }>(
    await post(contract.checkOtp, undefined, { mobile, otp }),
  ).secret

  await post(contract.addServer, admin, { ...newServer(), serverUUID: otherServerUUID })
  await post(contract.setServerReady, admin, { serverUUID: otherServerUUID, reason: 'set up by hand' })
  const { tunnelUUID } = sampleBody(contract.addTunnel, targetsWith(null, ''))
  await post(contract.addTunnel, admin, { ...sampleTunnel(), tunnelUUID })
  const { planUUID, ...newPlan } = sampleBody(contract.addPlan, targetsWith(null, ''))
  await post(contract.addPlan, admin, { ...newPlan, planUUID })
  const sessions = (await post(contract.getSessions, user, {})).detailedResponse as SessionItem[]
  const sessionId = sessions.find((session) => !session.sessionIsCurrent)?.sessionId ?? ''
  const targets = {
    accountUUID,
    hostUUID: String(serverUUID),
    serverUUID: String(serverUUID),
    tunnelUUID: String(tunnelUUID),
    planUUID: String(planUUID),
    sessionId,
    userEmail: email,
  }
  await driveHosts(admin)
  await driveEveryCall(user, admin, targets)
  await driveBroken(user, admin)
  for (const path of Object.values(made).map((secret) => `/sub/${secret}`))
    replies.push({ path, reply: await send(product.url, { method: 'GET', path }) })
}

const tunnelSecrets = {
  tunnelSSHUsername: canaries.sshUsername,
  tunnelSSHPassword: canaries.sshPassword,
  tunnelSSHKey: keyBlock,
}
const serverSecrets = {
  serverSSHPassword: canaries.sshPassword,
  serverHostingPassword: canaries.hostingPassword,
}
const newTunnel = () => ({ ...sampleTunnel(), ...tunnelSecrets })

/** Separate hosts for calls that need another state than the sample's, or remove the host. */
async function driveHosts(admin: string): Promise<void> {
  const { addServer, provisionServer, setServerReady, addTunnel, provisionTunnel, setTunnelReady } = contract
  const kinds = [
    [addServer, provisionServer, setServerReady, 'serverUUID', newServer, serverSecrets],
    [addTunnel, provisionTunnel, setTunnelReady, 'tunnelUUID', newTunnel, tunnelSecrets],
  ] as const
  for (const [add, provision, setReady, name, newHost, secrets] of kinds) {
    const [hostUUID, toHostUUID] = [randomUUID(), randomUUID()]
    for (const uuid of [hostUUID, toHostUUID]) await post(add, admin, { ...newHost(), [name]: uuid })
    await post(contract.editHost, admin, { hostUUID, ...secrets })
    await post(contract.editHost, admin, { hostUUID, basedOn: secrets })
    await provisionAndCancel(provision, admin, { [name]: hostUUID }, hostUUID)
    await post(setReady, admin, { [name]: toHostUUID, reason: 'set up by hand' })
    await post(contract.moveHostAccounts, admin, { hostUUID, toHostUUID, accounts: 0 })
    const gift = { serverUUID: hostUUID, days: 1, accounts: 0, reason: 'down for a night' }
    const key = { 'idempotency-key': canaries.idempotencyKey }
    if (name === 'serverUUID') await post(contract.compensate, admin, gift, key)
    for (const uuid of [hostUUID, toHostUUID]) await post(contract.removeHost, admin, { hostUUID: uuid })
  }
}

/** Provisions and cancels again if the worker finishes the run before the cancel arrives. */
async function provisionAndCancel(
  provision: Call,
  admin: string,
  host: object,
  hostUUID: string,
): Promise<void> {
  for (let tries = 0; tries < 20; tries += 1) {
    await post(provision, admin, host)
    if (!(await post(contract.cancelHostRun, admin, { hostUUID })).error) return
  }
}

/** Each call once more with its sample body; those that end something come last. */
async function driveEveryCall(user: string, admin: string, targets: Readonly<Record<TargetField, string>>) {
  const last: readonly Call[] = [
    ...[contract.compensate, contract.removeHost, contract.deleteAccount, contract.deleteAnyAccount],
    ...[contract.revokeSession, contract.changePassword, contract.signOut],
    ...[contract.endUserSessions, contract.resetUserPassword, contract.setUserLevel],
  ]
  let bought = ''
  const rank = (call: Call) => last.indexOf(call)
  for (const call of calls.toSorted((a, b) => rank(a) - rank(b))) {
    const field = targetOf(call)
    const target = call === contract.deleteAnyAccount ? bought : field ? targets[field] : ''
    const body = sampleBody(call, targetsWith(field, target))
    const response = await post(call, /admin/i.test(call.access) ? admin : user, body)
    if (call === contract.newAccount) {
      keepLinks(first<contract.SentAccount>(response))
      bought = first<contract.SentAccount>(response).accountUUID
    }
    if (call === contract.resetUserPassword)
      made[resetPassword] = first<{ password: string }>(response).password
    if (call === contract.renewSubscription) keepLinks(first<contract.SentAccount>(response))
  }
}

/** The same secrets while the database refuses to take them, so that they are in the hands of what logs the failure. */
async function driveBroken(user: string, admin: string): Promise<void> {
  const again = await enter(adminEmail, canaries.adminPassword)
  await query(
    database.connection,
    `ALTER TABLE servers RENAME COLUMN secrets TO gone; ALTER TABLE users RENAME COLUMN password_hash TO gone;
     ALTER TABLE idempotency_keys RENAME TO gone`,
  )
  const { serverUUID } = sampleBody(contract.addServer, targetsWith(null, ''))
  await post(contract.addServer, again, { ...newServer(), serverUUID })
  await post(contract.signUp, undefined, { email: 'x@example.com', password: canaries.signUpPassword })
  await post(contract.signIn, undefined, { email, password: canaries.newPassword })
  for (const token of [user, admin])
    await post(contract.newAccount, token, directAccount, { 'idempotency-key': canaries.idempotencyKey })
  await query(
    database.connection,
    `ALTER TABLE servers RENAME COLUMN gone TO secrets; ALTER TABLE users RENAME COLUMN gone TO password_hash;
     ALTER TABLE gone RENAME TO idempotency_keys`,
  )
}

const everything = () => ({ ...canaries, ...made })

test('every call was driven, secrets were created, and some calls failed', () => {
  expect(calls.filter((call) => !replies.some(({ path }) => path === call.path))).toEqual([])
  const accepted = new Set(replies.filter(({ reply }) => reply.status === 200).map(({ path }) => path))
  const never = calls.filter((call) => !accepted.has(call.path) && outcomeOf(call) === 'OK')
  expect(never.map(({ path }) => path)).toEqual([])
  expect(Object.keys(made).length).toBeGreaterThanOrEqual(8)
  expect(replies.filter(({ reply }) => reply.status === 500).length).toBeGreaterThanOrEqual(3)
  expect(gateway.sent.length).toBeGreaterThan(0)
  const given = replies.filter(({ path }) => path === contract.signIn.path).map(({ reply }) => reply.text)
  expect(findCanaries(given.join(''), made).length, 'the search finds what is there').toBeGreaterThan(0)
})

test('no secret is in the logs or in what the program prints', () => {
  expect(product.output()).toContain('"msg":"request"')
  expect(product.output()).toContain('"msg":"a request failed"')
  expect(findCanaries(product.output(), everything())).toEqual([])
  expect(product.output()).not.toContain(gateway.sent[0]?.text ?? '?')
})

const secondFactorGivers: readonly string[] = [
  contract.startSecondFactor.path,
  contract.confirmSecondFactor.path,
  contract.newRecoveryCodes.path,
]

test('no reply holds a secret that belongs to another call', () => {
  for (const { path, reply } of replies) {
    const found = findCanaries(`${reply.text}${JSON.stringify(reply.headers)}`, everything())
    const isGiver = path === contract.signIn.path || path === contract.checkOtp.path
    const foreign = found.filter((name) => {
      if (name === resetPassword) return path !== contract.resetUserPassword.path
      if (name.startsWith('token') || name === 'smsSession') return !isGiver
      if (/^(?:second factor|recovery code)/.test(name)) return !secondFactorGivers.includes(path)
      if (/^(?:vpn key|link)/.test(name)) return !/^\/(?:api\/v1\/accounts|sub)\//.test(path)
      return true
    })
    expect(foreign, path).toEqual([])
  }
})

test('no secret is in the metrics', async () => {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  expect(text).toContain('kelid_http_request_duration_seconds')
  expect(findCanaries(text, { ...everything(), email, mobile })).toEqual([])
})

test('no secret is in a table, except an idempotency key where it is compared', async () => {
  const { rows: tables } = await query(
    database.connection,
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  )
  expect(tables.length).toBeGreaterThan(15)
  for (const { name } of tables) {
    const { rows } = await query(database.connection, `SELECT t::text AS row FROM ${name} t`)
    const found = findCanaries(rows.map(({ row }) => row).join('\n'), everything())
    expect(found, name).toEqual(name === 'public.idempotency_keys' ? ['idempotencyKey'] : [])
  }
})

test('no secret is among the arguments of the process', async () => {
  const argv = await readFile(`/proc/${product.child.pid}/cmdline`, 'utf8').catch(() => '')
  expect(findCanaries(argv, everything())).toEqual([])
})
