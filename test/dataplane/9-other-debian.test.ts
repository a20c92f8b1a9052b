import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { authorityAt, comesIn, readLink } from './accounts.ts'
import { alone } from './alone.ts'
import { seconds, until } from './commands.ts'
import { openCustomer } from './customer.ts'
import { bootHost } from './host.ts'
import { names } from './resolver.ts'

const system = process.env.KELID_DATAPLANE_SYSTEM ?? ''
/** Nobody else is there, so that an account of it is on this host. */
const countryId = 40

afterAll(async () => (await alone()).close())

test.skipIf(!system)(
  'the other Debian that a host may be: set up over SSH, the same once more, and a customer comes in and is kept out',
  async () => {
    const { call, productKey } = await alone()
    const host = await bootHost('other-debian', '198.51.100.42', { system })
    names.set('other-debian.example', host.address)
    await host.say(`echo '${productKey}' >> /root/.ssh/authorized_keys`)
    console.log(`Debian ${await host.say('cat /etc/debian_version')}`)
    const named = { serverUUID: randomUUID() }
    const since = performance.now()
    await call('servers/add', {
      ...named,
      serverName: 'other-debian',
      serverType: 'hysteria',
      serverVersion: '1.0',
      serverVPNType: 'hysteria2-direct',
      serverVPNVersion: '2.0',
      serverIPV4: host.address,
      serverURL: 'other-debian.example',
      serverPort: 443,
      serverMaxAccounts: 10,
      serverTunnelActive: false,
      serverTunnelType: '',
      countryId,
    })
    const log = async () => (await call('servers/getansiblelog', named)).ansibleLog ?? ''
    const ready = () =>
      until(
        'the server to be ready',
        300,
        async () => {
          if ((await call('servers/getserver', named)).serverState !== 'ready') throw new Error(await log())
        },
        1000,
      )
    await ready()
    console.log(`ready in ${seconds(since)}`)
    await call('servers/provision', named)
    await until('the second run', 300, async () => {
      const text = await log()
      if (!/changed=0\b/.test(text)) throw new Error(text)
    })
    await ready()

    const { accountUUID, accountQRString = '' } = await call('accounts/new', {
      accountName: 'far_away',
      accountVPNType: 'hysteria2-direct',
      accountTunnelEnabled: false,
      accountTunnelType: '',
      accountDuration: 30,
      countryId,
    })
    const applied = () =>
      until('the change to be applied', 20, async () => {
        const { accountApplied } = await call('accounts/getaccount', { accountUUID })
        if (accountApplied !== 'applied') throw new Error(accountApplied)
      })
    await applied()
    const way = readLink(accountQRString)
    expect(way.server).toBe(host.address)
    const customer = await openCustomer({ ...way, authority: await authorityAt(host) })
    expect(await comesIn(customer)).toBe(true)
    await call('accounts/setenabled', { accountUUID, accountEnabled: false })
    await applied()
    expect(await comesIn(customer)).toBe(false)
    customer.close()
  },
)
