import { isAdminLevel, limits, Refusal } from '@kelid/contract'
import type { Db } from '../../context.ts'
import { lockAdminsAnd } from '../users/users.ts'

export async function lockAmongAdmins(tx: Db, userEmail: string) {
  const lockedUsers = await lockAdminsAnd(tx, userEmail, limits.adminLevelAbove)
  const user = lockedUsers.find(({ email }) => email === userEmail)
  if (!user) throw new Refusal('RESOURCE_NOT_FOUND')
  const admins = lockedUsers.filter((admin) => isAdminLevel(admin.level) && !admin.suspended_at)
  return { user, isLastAdmin: admins.length === 1 && admins[0] === user }
}
