import { randomUUID } from 'node:crypto'
import { extendDuration, newAccount, type Settings } from '@kelid/contract'
import type { Context } from '../context.ts'
import { createAccount, deleteAccount, extendAccount, setEnabled } from '../features/accounts/accounts.ts'
import type { By } from '../features/audit/audit.ts'
import type { Caller } from '../features/auth/auth.ts'
import { currentSettings } from '../features/settings/settings.ts'
import { findUserByEmail } from '../features/users/users.ts'
import { markAbused } from './demo.store.ts'
import type { MovingClock } from './moving-clock.ts'
import type { Deed, Sale } from './plan.ts'
import { prepareToPay } from './till.ts'

const common = { client: 'demo', clientVersion: '1.0', lng: 'en' } as const

/** Carries out deeds in order, each through the same functions as a call from outside would. */
export function openTrade(ctx: Context, clock: MovingClock, by: By) {
  const callers = new Map<string, Caller>()
  const sold = new Map<Sale, string>()
  let settings: Settings | undefined

  async function callerOf({ reseller: { email } }: Sale): Promise<Caller> {
    const known = callers.get(email)
    if (known) return known
    const user = await findUserByEmail(ctx.db, email)
    if (!user) throw new Error(`${email} has not joined yet`)
    const caller = { userId: user.id, email, phone: null, level: user.level, sessionId: randomUUID() }
    callers.set(email, caller)
    return caller
  }

  async function pay(sale: Sale, days: number): Promise<void> {
    settings ??= await currentSettings(ctx.db)
    await prepareToPay(ctx, by, settings, sale, days)
    clock.moveTo(clock.now().getTime() + 90_000)
  }

  return async (deed: Deed): Promise<void> => {
    const { sale } = deed
    const caller = await callerOf(sale)
    const buyer = { caller, lng: 'en', idempotencyKey: null } as const
    if (deed.kind === 'buy') {
      await pay(sale, sale.days)
      const input = {
        ...common,
        accountName: sale.name,
        accountVPNType: sale.vpnType,
        accountTunnelType: sale.tunnelType,
        accountTunnelEnabled: sale.tunnelType !== '',
        accountDuration: sale.days,
      }
      const { accountUUID } = await createAccount(ctx, buyer, newAccount, input)
      sold.set(sale, accountUUID)
      return
    }
    const accountUUID = sold.get(sale) ?? ''
    if (deed.kind === 'renew') {
      await pay(sale, deed.days)
      const input = { ...common, accountUUID, accountDuration: deed.days }
      await extendAccount(ctx, buyer, extendDuration, input)
    } else if (deed.kind === 'abuse') await markAbused(ctx.db, accountUUID, deed.devices, clock.now())
    else if (deed.kind === 'disable') await setEnabled(ctx, caller, accountUUID, false, 'en')
    else await deleteAccount(ctx, caller, accountUUID)
  }
}
