import { addServer, getAccount, newAccount, provisionServer, setEnabled } from '@kelid/contract'
import { afterAll, expect, test } from 'vitest'
import { authorityAt, comesIn, readLink } from './accounts.ts'
import { alone } from './alone.ts'
import { seconds, until } from './commands.ts'
import { openCustomer } from './customer.ts'
import { bootHost } from './host.ts'
import { hysteria, trust } from './installation.ts'
import { names } from './resolver.ts'

const system = process.env.KELID_DATAPLANE_SYSTEM ?? ''
/** Nobody else is there, so that an account of it is on this host. */
const countryId = 40

afterAll(async () => (await alone()).close())

test.skipIf(!system)(
  'the other Debian that a host may be: set up over SSH, the same once more, and a customer comes in and is kept out',
  async () => {
    const { call, ready, productKey } = await alone()
    const host = await bootHost('other-debian', '198.51.100.42', { system })
    names.set('other-debian.example', host.address)
    await trust(host, productKey)
    console.log(`Debian ${await host.say('cat /etc/debian_version')}`)
    const since = performance.now()
    const body = { ...hysteria('other-debian', host), countryId }
    const { serverUUID } = body
    await call(addServer, body)
    await ready(serverUUID)
    console.log(`ready in ${seconds(since)}`)
    await call(provisionServer, { serverUUID })
    await ready(serverUUID, /changed=0\b/)

    const { accountUUID, accountQRString = '' } = await call(newAccount, {
      accountName: 'far_away',
      accountVPNType: 'hysteria2-direct',
      accountTunnelEnabled: false,
      accountTunnelType: '',
      accountDuration: 30,
      countryId,
    })
    const applied = () =>
      until('the change to be applied', 20, async () => {
        const { accountApplied } = await call(getAccount, { accountUUID })
        if (accountApplied !== 'applied') throw new Error(accountApplied)
      })
    await applied()
    const way = readLink(accountQRString)
    expect(way.server).toBe(host.address)
    const customer = await openCustomer({ ...way, authority: await authorityAt(host) })
    expect(await comesIn(customer)).toBe(true)
    await call(setEnabled, { accountUUID, accountEnabled: false })
    await applied()
    expect(await comesIn(customer)).toBe(false)
    customer.close()
  },
)
