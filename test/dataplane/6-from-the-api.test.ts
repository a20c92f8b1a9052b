import { expect, test } from 'vitest'
import { until } from './commands.ts'
import { openCustomer } from './customer.ts'
import type { Host } from './host.ts'
import { added } from './installation.ts'
import { page } from './pages.ts'
import { administrator, call, settled } from './product.ts'

const changesIn = (log: string) => Number(/target\s+:.*changed=(\d+)/.exec(log)?.[1] ?? -1)

test('servers and tunnels of both kinds are ready from the API alone, and each end knows the other', async () => {
  const { hosts, rows } = await added()
  for (const { kind, uuid } of rows) {
    const row = await call(`${kind}s/get${kind}`, { [`${kind}UUID`]: uuid })
    expect(row[`${kind}State`], await settled(kind, uuid)).toBe('ready')
  }
  expect(await hosts.wsTunnel.say('cat /etc/kelid/core.json')).toContain('api-ws.example')
  expect(await hosts.sshTunnel.say('systemctl is-active kelid-relay@1.service')).toBe('active')
})

test('once more changes nothing', async () => {
  const { rows } = await added()
  await Promise.all(
    rows.map(async ({ kind, uuid }) => {
      await call(`${kind}s/provision`, { [`${kind}UUID`]: uuid })
      const log = await settled(kind, uuid)
      expect(changesIn(log), log).toBe(0)
    }),
  )
})

const url = 'http://page.example:8080/'
/** As long as a reseller waits who has pressed a button, and watches. */
const soon = 2

async function sold(accountTunnelType: string) {
  const reason = 'to sell something'
  const whom = { userEmail: administrator.email, amount: 1_000, reason }
  await call('admin/adjustusercredit', whom)
  await call('admin/adjustusertunnelcredit', whom)
  return call('accounts/new', {
    accountName: `by_${accountTunnelType}`,
    accountVPNType: 'trojan',
    accountTunnelEnabled: true,
    accountTunnelType,
    accountDuration: 30,
  })
}

/** An app that was given the account's link, and who vouches for its server. */
async function appOf({ accountQRString = '' }: Record<string, string>, server: Host) {
  const link = new URL(accountQRString)
  const chain = await server.say('cat /etc/kelid/certificate/chain.pem')
  return openCustomer({
    type: 'trojan',
    server: link.hostname,
    port: Number(link.port),
    name: link.searchParams.get('sni') ?? '',
    secret: link.username,
    authority: chain.slice(chain.lastIndexOf('-----BEGIN')),
  })
}

test.each(['wstunnel', 'ssh'])(
  'an account that is sold comes in by %s with its link, is cut when it is disabled and comes back when it is enabled',
  async (type) => {
    const { hosts } = await added()
    const server = type === 'ssh' ? hosts.sshServer : hosts.wsServer
    const account = await sold(type)
    const named = { accountUUID: account.accountUUID }
    const applied = () =>
      until('the change to be applied', 20, async () => {
        const { accountApplied } = await call('accounts/getaccount', named)
        if (accountApplied !== 'applied') throw new Error(accountApplied)
      })
    await applied()
    const customer = await appOf(account, server)
    expect((await customer.fetch(url)).stdout).toBe(page)

    const download = customer.download(`${url}download`)
    await until('the download to begin', 10, () => {
      if (download.bytes() < 100_000) throw new Error(`${download.bytes()} bytes`)
    })
    const since = performance.now()
    await call('accounts/setenabled', { ...named, accountEnabled: false })
    await until('the download to be cut', soon, () => {
      if (download.isOpen()) throw new Error(`${download.bytes()} bytes`)
    })
    console.log(`by ${type}: cut ${Math.round(performance.now() - since)} ms after it was disabled`)
    // Whoever is not let in gets the page that any browser gets.
    expect((await customer.fetch(url)).stdout).not.toBe(page)
    await applied()

    await call('accounts/setenabled', { ...named, accountEnabled: true })
    await until('the account to be back', soon, async () => {
      const { stdout, stderr } = await customer.fetch(url)
      if (stdout !== page) throw new Error(stderr)
    })
    const { usageTotal } = await until('the bytes to be counted', 30, async () => {
      const usage = (await call('accounts/getusage', named)) as unknown as { usageTotal: { down: number } }
      if (usage.usageTotal.down < 100_000) throw new Error(String(usage.usageTotal.down))
      return usage
    })
    console.log(`by ${type}: ${usageTotal.down} bytes counted`)
    customer.close()
    await call('accounts/delete', named)
  },
)

test('a removed server is cleaned, and its tunnel forgets it', async () => {
  const { hosts, servers, tunnels } = await added()
  await call('servers/remove', { serverUUID: servers[0]?.serverUUID })
  await until('the removed host to be clean', 120, async () => {
    const left = await hosts.wsServer.ssh('ls -d /etc/kelid /usr/local/lib/kelid')
    if (left.stdout) throw new Error(left.stdout)
  })
  await settled('tunnel', tunnels[0]?.tunnelUUID ?? '')
  expect(await hosts.wsTunnel.say('cat /etc/kelid/core.json')).not.toContain('api-ws.example')
})
