import { randomUUID } from 'node:crypto'
import { getUser, getUserAccounts, getUsers, newAccount } from '@kelid/contract'
import { type People, rare, readerAccounts } from './fill.ts'
import type { Target } from './load.ts'
import type { MeasuredProcess } from './measured-process.ts'

const common = { client: 'bench', clientVersion: '1' }
const json = { 'content-type': 'application/json' }

/** The reply has this many rows, and reports this total. */
const has =
  (rows: number, total?: number): Target['isRight'] =>
  (response) =>
    response.detailedResponse.length === rows && (total === undefined || response.total === total)

const target = (
  process: MeasuredProcess,
  { path }: { path: string },
  token: () => string,
  body: object,
  isRight?: Target['isRight'],
  headers: () => Record<string, string> = () => ({}),
): Target => {
  const text = JSON.stringify({ ...common, ...body })
  return {
    name: path,
    process,
    path,
    ...(isRight && { isRight }),
    next: () => ({ headers: { ...json, authorization: `Bearer ${token()}`, ...headers() }, body: text }),
  }
}

/** A route of bare-route.ts. */
export const plain = (process: MeasuredProcess, path: '/bare' | '/look-up' | '/charge'): Target =>
  target(process, { path }, () => 'none', {})

export const whoAmI = (product: MeasuredProcess, { reader }: People): Target =>
  target(product, getUser, () => reader, {}, has(1))

/** Several users in turn, because parallel calls of one user wait for each other. */
export function whoIsEach(product: MeasuredProcess, { buyers }: People): Target {
  let turn = 0
  return target(product, getUser, () => buyers[turn++ % buyers.length] ?? '', {})
}

export const ownAccounts = (product: MeasuredProcess, { reader }: People): Target =>
  target(
    product,
    getUserAccounts,
    () => reader,
    { limit: readerAccounts, withLinks: false },
    has(readerAccounts),
  )

/** The most expensive kind: behind a tunnel. */
export const newCustomer = {
  accountName: 'customer',
  accountVPNType: 'trojan',
  accountTunnelEnabled: true,
  accountTunnelType: 'wstunnel',
  accountDuration: 30,
}

/** With an idempotency key, like the web client. */
export function creation(product: MeasuredProcess, { buyers }: People): Target {
  let turn = 0
  const token = () => buyers[turn++ % buyers.length] ?? ''
  return target(product, newAccount, token, newCustomer, has(1), () => ({ 'idempotency-key': randomUUID() }))
}

export const rareSearch = (product: MeasuredProcess, { admin }: People): Target =>
  target(product, getUsers, () => admin, { search: rare.word, limit: 20 }, has(rare.users, rare.users))

/** Matches every e-mail. */
export const broadSearch = (product: MeasuredProcess, { admin, users }: People): Target =>
  target(product, getUsers, () => admin, { search: 'example', limit: 20 }, has(20, users))
