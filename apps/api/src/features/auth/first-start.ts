import { randomInt } from 'node:crypto'
import { limits, rules } from '@kelid/contract'
import { ConfigError } from '../../config.ts'
import type { Context } from '../../context.ts'
import type { Seal } from '../../lib/seal.ts'
import { type Actor, record } from '../audit/audit.ts'
import { hasUsers, insertUser } from '../users/users.ts'
import { isCommonPassword } from './common-passwords.ts'
import { keepKeyCheck } from './installation.store.ts'

const defaultEmail = 'admin@kelid.lan'
const bySetup: Actor = { email: 'first start', address: '' }

export const keyCheckOf = (seal: Seal): Buffer => seal.fingerprint('installation', 'key check')

/** Under another key all links would be invalid, so the start fails instead. */
export async function checkKey(ctx: Context): Promise<void> {
  const check = keyCheckOf(ctx.seal)
  const storedCheck = await keepKeyCheck(ctx.db, check)
  if (!storedCheck.equals(check))
    throw new ConfigError(
      'This database was set up with another secret key. Put the right secret.key into KELID_DATA_DIR or set KELID_SECRET_KEY.',
    )
}

export interface FirstAdmin {
  email: string
  password: string | null
}

/**
 * Creates an administrator in an empty database. The password is shown before it is stored: after a crash in between,
 * the next start shows another one, whereas a stored but unseen password would lock everybody out.
 */
export async function createFirstAdmin(ctx: Context, show: (admin: FirstAdmin) => void): Promise<void> {
  if (await hasUsers(ctx.db)) return
  const { KELID_ADMIN_EMAIL, KELID_ADMIN_PASSWORD } = ctx.config
  const email = checkedEmail(KELID_ADMIN_EMAIL || defaultEmail)
  const password = KELID_ADMIN_PASSWORD ? checkedPassword(KELID_ADMIN_PASSWORD) : randomPassword()
  await createAdmin(ctx, email, password, bySetup, () =>
    show({ email, password: KELID_ADMIN_PASSWORD ? null : password }),
  )
}

export async function createAdmin(
  ctx: Context,
  email: string,
  password: string,
  by: Actor,
  beforeInsert = () => {},
): Promise<boolean> {
  const password_hash = await ctx.passwords.hash(password)
  return ctx.atomically(async (tx) => {
    const created_at = ctx.clock.now()
    const user = await insertUser(tx, { email, password_hash, level: limits.levelMax, created_at })
    if (!user) return false
    await record(ctx, tx, by, 'createadmin', email)
    beforeInsert()
    return true
  })
}

export function checkedEmail(email: string): string {
  const parsed = rules.email.safeParse(email)
  if (!parsed.success) throw new ConfigError(`KELID_ADMIN_EMAIL must be an e-mail address; it is "${email}".`)
  return parsed.data
}

export function checkedPassword(password: string): string {
  if (!rules.newPassword.safeParse(password).success)
    throw new ConfigError(
      'KELID_ADMIN_PASSWORD must have 8 to 35 characters with a digit, an uppercase letter, a lowercase letter and a special character.',
    )
  if (isCommonPassword(password))
    throw new ConfigError('KELID_ADMIN_PASSWORD is too easy to guess; choose another.')
  return password
}

const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** About 115 bits without look-alike letters; the hyphens satisfy the rule for special characters. */
export function randomPassword(): string {
  const group = () => Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join('')
  const password = [group(), group(), group(), group()].join('-')
  return rules.newPassword.safeParse(password).success ? password : randomPassword()
}
