import { Refusal } from '@kelid/contract'
import type { Db } from '../../context.ts'
import { claim, type Request } from '../idempotency/idempotency.ts'
import { type AccountRecord, findOwnAccount } from './accounts.store.ts'

/** Returns the account that an earlier attempt bought, in its current state. */
export async function claimKey(
  tx: Db,
  { accountUUID, ...request }: Request & { accountUUID: string },
  now: Date,
): Promise<AccountRecord | null> {
  const earlier = await claim(tx, request, accountUUID, now)
  if (!earlier) return null
  const account = earlier.account_uuid && (await findOwnAccount(tx, request.userId, earlier.account_uuid))
  if (!account) throw new Refusal('RESOURCE_NOT_FOUND')
  return account
}
