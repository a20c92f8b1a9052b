import * as messages from './core-messages.ts'

export interface RefusedDevice {
  readonly id: string
  /** An IPv4 address, or an IPv6 /64 as `prefix::/64`. */
  readonly network: string
}

const routing = '/xray.app.router.command.RoutingService'
const inbound_tag = ['vpn', 'vpn-previous']
/** The last rule of the core's configuration lets customers out. Added rules come last, so it is replaced by a later one. */
const last = 'customers'

function cidrOf(network: string) {
  if (!network.endsWith('/64')) return { ip: Buffer.from(network.split('.').map(Number)), prefix: 32 }
  const ip = Buffer.alloc(16)
  for (const [index, group] of network.split('::')[0]?.split(':').entries() ?? [])
    ip.writeUInt16BE(Number.parseInt(group, 16), 2 * index)
  return { ip, prefix: 64 }
}

/** Rules of the core's routing that refuse an account at an address. They are lost when the core ends. */
export function openRules(ask: messages.Ask) {
  const tags = async () =>
    (await ask(`${routing}/ListRule`, Buffer.alloc(0), messages.rulesResponse.decode)).rules.map(
      ({ ruleTag }) => ruleTag,
    )
  const tagOf = (digest: string) => (digest === '' ? last : `${last}-${digest}`)
  return {
    async refusedDigest(): Promise<string | null> {
      const own = (await tags()).filter((tag) => tag.startsWith(last))
      return own.length === 1 ? (own[0]?.slice(last.length + 1) ?? null) : null
    },
    /** New rules work before the old ones end, so no customer is without a rule meanwhile. */
    async setRefused(digest: string, devices: readonly RefusedDevice[]): Promise<void> {
      const before = await tags()
      const refusals = devices.map(({ id, network }, index) => ({
        ...{ tag: 'block', rule_tag: `refused-${digest}-${index}`, inbound_tag, user_email: [id] },
        source_geoip: [{ cidr: [cidrOf(network)] }],
      }))
      const rule = [...refusals, { tag: 'direct', rule_tag: tagOf(digest), inbound_tag }]
      if (!before.includes(tagOf(digest))) {
        const config = { type: 'xray.app.router.Config', value: messages.routerConfig.encode({ rule }) }
        const body = messages.addRule.encode({ config, shouldAppend: true })
        await ask(`${routing}/AddRule`, body, () => undefined)
      }
      const isOwn = new Set(rule.map(({ rule_tag }) => rule_tag))
      for (const ruleTag of before)
        if (/^(?:refused-|customers)/.test(ruleTag) && !isOwn.has(ruleTag))
          await ask(`${routing}/RemoveRule`, messages.removeRule.encode({ ruleTag }), () => undefined)
    },
  }
}
export type Rules = ReturnType<typeof openRules>
