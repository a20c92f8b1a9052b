import {
  type Account,
  type Answer,
  type bulkRefusals,
  deleteBulk,
  extendBulk,
  type quoteBulk,
  setEnabledBulk,
} from '@kelid/contract'
import { act } from '../../../calls/api.ts'
import type { BulkAction } from '../list/bulk-actions.ts'
import { quotedAs } from './quoted.ts'

export type BulkQuote = Answer<typeof quoteBulk>
type Results = Answer<typeof deleteBulk>['items']

export interface BulkOrder {
  readonly action: BulkAction
  readonly accounts: readonly Account[]
  readonly days: number | null
  readonly gigabytes: number
  readonly quote: BulkQuote | undefined
}

export interface Refused {
  readonly account: Account
  readonly refusal: (typeof bulkRefusals)[number]
}

export interface Outcome {
  readonly done: readonly Account[]
  readonly refused: readonly Refused[]
}

export async function carryOut(order: BulkOrder, idempotencyKey: string): Promise<Outcome> {
  const results = new Map(
    (await ask(order, idempotencyKey)).map(({ accountUUID, accountRefusal }) => [
      accountUUID,
      accountRefusal,
    ]),
  )
  const refusalOf = ({ accountUUID }: Account) => results.get(accountUUID) ?? null
  return {
    done: order.accounts.filter((account) => refusalOf(account) === null),
    refused: order.accounts.flatMap((account) => {
      const refusal = refusalOf(account)
      return refusal ? [{ account, refusal }] : []
    }),
  }
}

async function ask(
  { action, accounts, days, gigabytes, quote }: BulkOrder,
  idempotencyKey: string,
): Promise<Results> {
  const accountUUIDs = accounts.map(({ accountUUID }) => accountUUID)
  const key = { idempotencyKey }
  if (action === 'delete') return (await act(deleteBulk, { accountUUIDs }, key)).items
  if (action !== 'renew')
    return (await act(setEnabledBulk, { accountUUIDs, accountEnabled: action === 'enable' }, key)).items
  const body = {
    ...{ accountUUIDs, accountDuration: days ?? 0 },
    ...(gigabytes > 0 && { accountDataLimit: gigabytes }),
    ...(quote && quotedAs(quote)),
  }
  return (await act(extendBulk, body, key)).accounts
}
