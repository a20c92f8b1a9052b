import { type Account, deleteAccount, extendDuration, setEnabled } from '@kelid/contract'
import type { QueryClient } from '@tanstack/react-query'
import { act } from '../../../calls/api.ts'
import { dropAccount, putAccount } from '../account-cache.ts'
import type { BulkAction } from '../list/bulk-actions.ts'
import { renewalKeys, renewalOf } from './purchase-keys.ts'

export interface Failure {
  readonly account: Account
  readonly error: unknown
}

const atOnce = 4

/** Work on each, a few at a time; one that fails does not stop the others. */
export async function forEachAccount(
  accounts: readonly Account[],
  work: (account: Account) => Promise<unknown>,
  onProgress: (done: number) => void = () => undefined,
): Promise<{ done: Account[]; failed: Failure[] }> {
  const waiting = [...accounts]
  const done: Account[] = []
  const failed: Failure[] = []
  const worker = async () => {
    for (let account = waiting.shift(); account; account = waiting.shift()) {
      try {
        await work(account)
        done.push(account)
      } catch (error) {
        failed.push({ account, error })
      }
      onProgress(done.length + failed.length)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, accounts.length) }, worker))
  return { done, failed }
}

async function renewOne(client: QueryClient, account: Account, accountDuration: number) {
  const { accountUUID } = account
  const purchase = renewalOf(account, accountDuration)
  const idempotencyKey = renewalKeys.of(purchase)
  putAccount(client, await act(extendDuration, { accountUUID, accountDuration }, { idempotencyKey }))
  renewalKeys.done(purchase)
}

async function enableOne(client: QueryClient, { accountUUID }: Account, accountEnabled: boolean) {
  putAccount(client, await act(setEnabled, { accountUUID, accountEnabled }))
}

async function deleteOne(client: QueryClient, { accountUUID }: Account) {
  await act(deleteAccount, { accountUUID })
  dropAccount(client, accountUUID)
}

/** What one press does to one account; `days` counts for a renewal only. */
export const workOf: Record<
  BulkAction,
  (client: QueryClient, account: Account, days: number) => Promise<void>
> = {
  renew: renewOne,
  enable: (client, account) => enableOne(client, account, true),
  disable: (client, account) => enableOne(client, account, false),
  delete: deleteOne,
}
