import { Refusal } from '@kelid/contract'
import type { Db } from '../../context.ts'
import { claimKey, type Request } from '../idempotency/idempotency.ts'
import { type AccountRecord, findOwnAccount } from './accounts.store.ts'

/** The account that an earlier try under the same key has bought, as it is now; else the key is this one's. */
export async function earlierPurchase(
  tx: Db,
  request: Request,
  accountUUID: string,
  now: Date,
): Promise<AccountRecord | null> {
  const earlier = await claimKey(tx, request, now, accountUUID)
  if (!earlier) return null
  const account = earlier.account_uuid && (await findOwnAccount(tx, request.userId, earlier.account_uuid))
  if (!account) throw new Refusal('RESOURCE_NOT_FOUND')
  return account
}
