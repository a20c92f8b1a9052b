import { randomUUID } from 'node:crypto'
import { addPlan, type Call, deleteAccount, deletePlan, newAccount, revokeSession } from '@kelid/contract'
import { lifeOf } from '../../src/features/auth/session-life.ts'
import { hashOf, randomToken } from '../../src/lib/tokens.ts'
import type { Person, Product } from '../product.ts'
import { directAccount, samplePlan } from '../sample-hosts.ts'
import {
  freshEmail,
  otherServerUUID,
  sampleBody,
  samplePassword,
  type TargetField,
  type Targets,
  targetOf,
} from './samples.ts'
import { bearer, json, send } from './wire.ts'

export const deadCallers = ['none', 'garbage', 'expired by idling', 'expired by age', 'revoked'] as const
export const liveCallers = ['owner', 'other', 'level 5', 'level 6'] as const
export type DeadCaller = (typeof deadCallers)[number]
export type CallerKind = DeadCaller | (typeof liveCallers)[number]

export const isDead = (kind: CallerKind): kind is DeadCaller => deadCallers.some((dead) => dead === kind)

/** The dead were administrators, so that nothing but the end of their session keeps them out. */
const levels: Partial<Record<CallerKind, number>> = { owner: 1, other: 1, 'level 5': 5 }
const passwordHashes = new WeakMap<Product, Promise<string>>()

/** Somebody with credit to spend and the sample password, at the given level. */
export async function somebody(product: Product, level: number): Promise<Person> {
  const person = await product.person({ level, points: 100_000, tunnelCredit: 1_000 })
  const hash = passwordHashes.get(product) ?? product.ctx.passwords.hash(samplePassword)
  passwordHashes.set(product, hash)
  await product.sql('UPDATE users SET password_hash = $2 WHERE id = $1', person.id, await hash)
  return person
}

export const sessionIdOf = async (product: Product, token: string): Promise<string> =>
  (await product.sql('SELECT id FROM sessions WHERE token_hash = $1', hashOf(token)))[0].id

export const levelOf = (kind: CallerKind): number => levels[kind] ?? 6

/** A token of a new session of the person, in the state that the kind names; undefined for no token. */
export async function tokenFor(
  product: Product,
  person: Person,
  kind: CallerKind,
): Promise<string | undefined> {
  if (kind === 'none') return undefined
  if (kind === 'garbage') return randomToken(256)
  const { token, call } = await product.again(person)
  const { idle, absolute } = lifeOf(levelOf(kind))
  if (kind === 'revoked') await call(revokeSession, { sessionId: await sessionIdOf(product, token) })
  const backdate = (column: 'last_seen_at' | 'created_at', age: number) => {
    const time = new Date(product.clock.now().getTime() - age)
    return product.sql(`UPDATE sessions SET ${column} = $2 WHERE token_hash = $1`, hashOf(token), time)
  }
  if (kind === 'expired by idling') await backdate('last_seen_at', idle)
  if (kind === 'expired by age') await backdate('created_at', absolute)
  return token
}

/** Where the samples move accounts to. Half full, so that no new account is put there. */
export async function openOtherServer(product: Product): Promise<void> {
  await product.server({ serverUUID: otherServerUUID, serverMaxAccounts: 100_000 })
  await product.sql('UPDATE servers SET accounts = 50000 WHERE uuid = $1', otherServerUUID)
}

export const targetKinds = ['own', 'foreign', 'deleted', 'missing'] as const
export type TargetKind = (typeof targetKinds)[number]

/** A target of that kind: the person's, a stranger's, a deleted or an unknown one. */
export async function targetFor(
  product: Product,
  { person, stranger }: { person: Person; stranger: Person },
  field: TargetField,
  kind: TargetKind,
): Promise<string> {
  if (kind === 'missing') return field === 'userEmail' ? freshEmail() : randomUUID()
  return makers[field](product, kind === 'foreign' ? stranger : person, kind === 'deleted')
}

type Maker = (product: Product, owner: Person, isDeleted: boolean) => Promise<string>

const makers: Record<TargetField, Maker> = {
  async accountUUID(_, owner, isDeleted) {
    const { accountUUID } = await owner.ask(newAccount, { ...directAccount, accountDataLimit: 5 })
    if (isDeleted) await owner.ask(deleteAccount, { accountUUID })
    return accountUUID
  },
  async sessionId(product, owner, isDeleted) {
    const { token } = await product.again(owner)
    const sessionId = await sessionIdOf(product, token)
    if (isDeleted) await owner.ask(revokeSession, { sessionId })
    return sessionId
  },
  async userEmail(product, owner, isDeleted) {
    if (!isDeleted) return owner.email
    const gone = await product.person()
    await product.sql('DELETE FROM users WHERE id = $1', gone.id)
    return gone.email
  },
  async serverUUID(product, _, isDeleted) {
    const uuid = await product.server()
    if (isDeleted) await product.sql('DELETE FROM servers WHERE uuid = $1', uuid)
    return uuid
  },
  hostUUID: (product, owner, isDeleted) => makers.serverUUID(product, owner, isDeleted),
  async planUUID(product, _, isDeleted) {
    const { planUUID } = await product.admin.ask(addPlan, {
      ...{ ...samplePlan, planUUID: randomUUID(), planActive: true },
    })
    if (isDeleted) await product.admin.ask(deletePlan, { planUUID })
    return planUUID
  },
  async tunnelUUID(product, _, isDeleted) {
    const uuid = await product.tunnel()
    if (isDeleted) await product.sql('DELETE FROM tunnels WHERE uuid = $1', uuid)
    return uuid
  },
}

/** All fields name something new, but the one that the test is about. */
export const targetsWith = (field: TargetField | null, value: string): Targets => ({
  accountUUID: randomUUID(),
  hostUUID: randomUUID(),
  serverUUID: randomUUID(),
  tunnelUUID: randomUUID(),
  planUUID: randomUUID(),
  sessionId: randomUUID(),
  userEmail: freshEmail(),
  ...(field && { [field]: value }),
})

/** The sample body of a call about something of the person's own, and how the person sends it. */
export async function sampleCall(product: Product, call: Call, person: Person, stranger = person) {
  const field = targetOf(call)
  // An administrator does some things to other users only.
  const kind = person !== stranger && field === 'userEmail' ? 'foreign' : 'own'
  const target = field ? await targetFor(product, { person, stranger }, field, kind) : ''
  const body = sampleBody(call, targetsWith(field, target))
  const headers = { ...json, ...bearer(person.token) }
  return { body, send: () => send(product.url, { path: call.path, headers, body: JSON.stringify(body) }) }
}
