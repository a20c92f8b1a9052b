import { randomUUID } from 'node:crypto'
import { deleteAccount, newAccount, revokeSession } from '@kelid/contract'
import { lifeOf } from '../../src/features/auth/session-life.ts'
import { hashOf, randomToken } from '../../src/lib/tokens.ts'
import { directAccount, type Person, type Product } from '../product.ts'
import { freshEmail, otherServerUUID, samplePassword, type TargetField, type Targets } from './samples.ts'

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
  await product.ctx.db
    .updateTable('users')
    .set({ password_hash: await hash })
    .where('id', '=', person.id)
    .execute()
  return person
}

export const sessionIdOf = async (product: Product, token: string): Promise<string> =>
  (
    await product.ctx.db
      .selectFrom('sessions')
      .select('id')
      .where('token_hash', '=', hashOf(token))
      .executeTakeFirstOrThrow()
  ).id

export const levelOf = (kind: CallerKind): number => levels[kind] ?? 6

/** A token of a new session of theirs, in the state that the kind says; nothing for nobody. */
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
  if (kind === 'expired by idling') await backdate(product, token, { last_seen_at: idle })
  if (kind === 'expired by age') await backdate(product, token, { created_at: absolute })
  return token
}

async function backdate(
  product: Product,
  token: string,
  ages: { last_seen_at?: number; created_at?: number },
): Promise<void> {
  const times = Object.fromEntries(
    Object.entries(ages).map(([column, age]) => [column, new Date(product.clock.now().getTime() - age)]),
  )
  await product.ctx.db.updateTable('sessions').set(times).where('token_hash', '=', hashOf(token)).execute()
}

/** Where the samples move accounts to. Half full, so that no new account is put there. */
export async function openOtherServer(product: Product): Promise<void> {
  await product.server({ serverUUID: otherServerUUID, serverMaxAccounts: 100_000 })
  const half = { accounts: 50_000 }
  await product.ctx.db.updateTable('servers').set(half).where('uuid', '=', otherServerUUID).execute()
}

export const targetKinds = ['own', 'foreign', 'deleted', 'missing'] as const
export type TargetKind = (typeof targetKinds)[number]

/** Something of that kind: theirs or a stranger's, gone, or never there. */
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
    const { accountUUID } = (await owner.call(newAccount, directAccount)).answer()
    if (isDeleted) (await owner.call(deleteAccount, { accountUUID })).answer()
    return accountUUID
  },
  async sessionId(product, owner, isDeleted) {
    const { token } = await product.again(owner)
    const sessionId = await sessionIdOf(product, token)
    if (isDeleted) (await owner.call(revokeSession, { sessionId })).answer()
    return sessionId
  },
  async userEmail(product, owner, isDeleted) {
    if (!isDeleted) return owner.email
    const gone = await product.person()
    await product.ctx.db.deleteFrom('users').where('id', '=', gone.id).execute()
    return gone.email
  },
  async serverUUID(product, _, isDeleted) {
    const uuid = await product.server()
    if (isDeleted) await product.ctx.db.deleteFrom('servers').where('uuid', '=', uuid).execute()
    return uuid
  },
  hostUUID: (product, owner, isDeleted) => makers.serverUUID(product, owner, isDeleted),
  async tunnelUUID(product, _, isDeleted) {
    const uuid = await product.tunnel()
    if (isDeleted) await product.ctx.db.deleteFrom('tunnels').where('uuid', '=', uuid).execute()
    return uuid
  },
}

/** All fields name something new, but the one that the test is about. */
export const targetsWith = (field: TargetField | null, value: string): Targets => ({
  accountUUID: randomUUID(),
  hostUUID: randomUUID(),
  serverUUID: randomUUID(),
  tunnelUUID: randomUUID(),
  sessionId: randomUUID(),
  userEmail: freshEmail(),
  ...(field && { [field]: value }),
})
