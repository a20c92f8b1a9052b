import type { clearUserContact, Input, UserDetail } from '@kelid/contract'
import type { Context } from '../../context.ts'
import { requireAsSeen } from '../../lib/as-seen.ts'
import type { Actor } from '../audit/audit.ts'
import { changeUser, updateUser } from '../users/users.ts'
import { detailOf } from './suspension.ts'

/** Customers see the operator's contact again; the user may set another one. */
export const clearContact = (
  ctx: Context,
  by: Actor,
  { userEmail, basedOn }: Input<typeof clearUserContact>,
): Promise<UserDetail> =>
  ctx.atomically(async (tx) => {
    await changeUser(ctx, tx, by, {
      action: 'clearusercontact',
      userEmail,
      change: async ({ id, contact: from }) => {
        requireAsSeen({ from: basedOn }, { from })
        await updateUser(tx, id, { contact: '' })
        return { from, to: '' }
      },
    })
    return detailOf(ctx, userEmail, tx)
  })
