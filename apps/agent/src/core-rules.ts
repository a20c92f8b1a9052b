import { createHash, randomUUID } from 'node:crypto'
import * as messages from './core-messages.ts'
import { inParallel } from './in-parallel.ts'

export interface RefusedDevice {
  readonly id: string
  /** An IPv4 address, or an IPv6 /64 as `prefix::/64`. */
  readonly network: string
}

/** What the core does with the requests of one account. */
export interface AccountRules {
  readonly id: string
  /** Networks at which it is refused. */
  readonly refused: readonly string[]
  /** The outbound of its other requests; '' as everybody's. */
  readonly outbound: string
}

const routing = '/xray.app.router.command.RoutingService'
export const customerInbounds = ['vpn', 'vpn-previous']
/** The last rule of the core's configuration lets customers out. Added rules come last, so it is replaced by a later one. */
export const lastRule = 'customers'
/** Rules of single accounts; those that begin with `refused` are of earlier agents. */
const ofAccounts = /^(?:own|refused)-/

function cidrOf(network: string) {
  if (!network.endsWith('/64')) return { ip: Buffer.from(network.split('.').map(Number)), prefix: 32 }
  const ip = Buffer.alloc(16)
  for (const [index, group] of network.split('::')[0]?.split(':').entries() ?? [])
    ip.writeUInt16BE(Number.parseInt(group, 16), 2 * index)
  return { ip, prefix: 64 }
}

/** The same rules have the same tags, whoever has put them into the core. */
export function ruleTagsOf({ id, refused, outbound }: AccountRules): string[] {
  const text = [id, outbound, ...refused].join(' ')
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16)
  return Array.from({ length: refused.length + (outbound ? 1 : 0) }, (_, index) => `own-${digest}-${index}`)
}

function rulesOf(account: AccountRules): messages.Rule[] {
  const { id, refused, outbound } = account
  const common = { inbound_tag: customerInbounds, user_email: [id] }
  const refusals = refused.map((network) => ({
    ...{ ...common, tag: 'block', source_geoip: [{ cidr: [cidrOf(network)] }] },
  }))
  const rules = outbound ? [...refusals, { ...common, tag: outbound }] : refusals
  const tags = ruleTagsOf(account)
  return rules.map((rule, index) => ({ ...rule, rule_tag: tags[index] ?? '' }))
}

/** Rules of the core's routing for single accounts. */
export function openRules(ask: messages.Ask) {
  const tags = async () =>
    (await ask(`${routing}/ListRule`, Buffer.alloc(0), messages.rulesResponse.decode)).rules.map(
      ({ ruleTag }) => ruleTag,
    )
  const remove = (ruleTags: readonly string[]) =>
    inParallel(ruleTags, (ruleTag) =>
      ask(`${routing}/RemoveRule`, messages.removeRule.encode({ ruleTag }), () => undefined),
    )
  return {
    /** New rules work before the old ones end, so no customer is without a rule meanwhile. */
    async setAccountRules(accounts: readonly AccountRules[]): Promise<void> {
      const before = await tags()
      const isThere = new Set(before)
      const missing = accounts.filter((account) => !ruleTagsOf(account).every((tag) => isThere.has(tag)))
      // Some of these are there only if a removal was interrupted.
      const parts = new Set(missing.flatMap(ruleTagsOf).filter((tag) => isThere.has(tag)))
      await remove([...parts])
      const lasts = before.filter((tag) => tag.startsWith(lastRule))
      const isToAdd = missing.length > 0 || lasts.length !== 1
      if (isToAdd) {
        const last = {
          ...{ tag: 'direct', inbound_tag: customerInbounds },
          rule_tag: `${lastRule}-${randomUUID().slice(0, 8)}`,
        }
        const rule = [...missing.flatMap(rulesOf), last]
        const config = { type: 'xray.app.router.Config', value: messages.routerConfig.encode({ rule }) }
        const body = messages.addRule.encode({ config, shouldAppend: true })
        await ask(`${routing}/AddRule`, body, () => undefined)
      }
      const isWanted = new Set(accounts.flatMap(ruleTagsOf))
      const ended = before.filter((tag) => ofAccounts.test(tag) && !isWanted.has(tag) && !parts.has(tag))
      await remove([...ended, ...(isToAdd ? lasts : [])])
    },
  }
}
export type Rules = ReturnType<typeof openRules>
