import type { TunnelType, VpnType } from '@kelid/contract'
import { customerName, type Reseller, resellers } from './people.ts'
import type { Random } from './random.ts'

export interface Sale {
  readonly reseller: Reseller
  readonly name: string
  readonly vpnType: VpnType
  readonly tunnelType: TunnelType | ''
  readonly days: number
}

export type Change =
  | { readonly kind: 'renew'; readonly days: number }
  | { readonly kind: 'disable' | 'delete' }
  | { readonly kind: 'abuse'; readonly devices: number }

/** An act of a reseller or node; `ago` in days before the demo is filled. */
export type DemoAction = { readonly ago: number; readonly sale: Sale } & (Change | { readonly kind: 'buy' })

/** Leaves time for the consequences of an action to lie in the past. */
const latest = 0.1
const durations = [30, 30, 30, 60, 90, 7]
const kinds: readonly Pick<Sale, 'vpnType' | 'tunnelType'>[] = [
  { vpnType: 'hysteria2-direct', tunnelType: '' },
  { vpnType: 'trojan', tunnelType: 'wstunnel' },
  { vpnType: 'hysteria2-direct', tunnelType: '' },
  { vpnType: 'trojan', tunnelType: 'wstunnel' },
  { vpnType: 'trojan', tunnelType: 'ssh' },
  { vpnType: 'vless-reality', tunnelType: '' },
  { vpnType: 'vless-xhttp', tunnelType: '' },
]

export function planBusiness(random: Random, share = 1): DemoAction[] {
  let number = 0
  const actions = resellers.flatMap((reseller) =>
    Array.from({ length: Math.ceil(reseller.sells * share) }, () => {
      number += 1
      const sale = {
        reseller,
        name: customerName(random.pick, number),
        ...random.pick(kinds),
        days: random.pick(durations),
      }
      return lifeOf(random, sale, number)
    }).flat(),
  )
  return actions.sort((a, b) => b.ago - a.ago)
}

function lifeOf(random: Random, sale: Sale, number: number): DemoAction[] {
  const bought = random.between(latest, sale.reseller.joined * 0.98)
  const actions: DemoAction[] = [{ kind: 'buy', ago: bought, sale }]
  const lastAgo = () => actions.at(-1)?.ago ?? bought
  const add = (ago: number, change: Change) => actions.push({ ago, sale, ...change })

  let expiredAgo = bought - sale.days
  while (expiredAgo > latest) {
    const days = random.pick(durations)
    const isLate = random.chance(0.2)
    const ago = isLate
      ? expiredAgo - random.between(0.5, 6)
      : Math.min(lastAgo(), expiredAgo + random.between(0, 3))
    if (ago < latest || random.chance(0.12)) break
    add(ago, { kind: 'renew', days })
    expiredAgo = (isLate ? ago : expiredAgo) - days
  }

  const lately = (days: number) => random.between(latest, Math.min(lastAgo(), days))
  const isGone = expiredAgo > 5 && random.chance(0.5)
  if (isGone) add(expiredAgo - random.between(1, 4), { kind: 'delete' })
  else if (number % 23 === 5) add(lately(12), { kind: 'abuse', devices: random.whole(4, 9) })
  else if (number % 11 === 3) add(lately(25), { kind: 'disable' })
  return actions
}
