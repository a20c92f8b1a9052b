import { randomBytes, randomUUID } from 'node:crypto'
import { appendFileSync, chmodSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { addServer, addTunnel, getServers, getTunnels, setSettings, signIn } from '@kelid/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bearer, type CallServer, callAt } from '../../e2e/call.ts'
import { type Product, startProduct } from '../../e2e/product/start.ts'
import { buildServer } from '../../scripts/built.mjs'
import { run, seconds, until } from './commands.ts'
import { addAccount } from './core-api.ts'
import { openCustomer } from './customer.ts'
import { productKey } from './host.ts'
import { address } from './network.ts'
import { page } from './pages.ts'
import { programs } from './programs.ts'
import { ready, server } from './stage.ts'

const root = join(import.meta.dirname, '../..')
const dataDir = '/mnt/product'
const admin = { email: 'first@kelid.test', password: `Aa1-${randomBytes(9).toString('base64url')}` }
const env = {
  KELID_DATA_DIR: dataDir,
  KELID_SECRET_KEY: randomBytes(32).toString('hex'),
  KELID_ADMIN_EMAIL: admin.email,
  KELID_ADMIN_PASSWORD: admin.password,
  KELID_AGENT_HOST: address.control,
  KELID_AGENT_PORT: '8443',
  KELID_AGENT_URL: `https://${address.control}:8443`,
}
let product: Product
let call: CallServer

const kelid = (...args: string[]) => {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  return run('env', ...variables, process.execPath, join(root, 'apps/api/dist/cli.js'), ...args)
}

beforeAll(async () => {
  await ready()
  buildServer()
  mkdirSync(dataDir)
  // PostgreSQL runs as another user.
  chmodSync(dataDir, 0o755)
  kelid('core', 'add', programs.xray)
  product = await startProduct(env)
  const { token } = await callAt(product.url)(signIn, admin)
  call = callAt(product.url, bearer(token))
  await call(setSettings, { certificates: { source: 'own', acmeDirectory: '', acmeEmail: '' } })
})
afterAll(() => product?.stop())

const states = async () => [
  ...(await call(getServers, {})).items.map(({ serverName, serverState }) => `${serverName} ${serverState}`),
  ...(await call(getTunnels, {})).items.map(({ tunnelName, tunnelState }) => `${tunnelName} ${tunnelState}`),
]

test('from the API alone, a server of each VPN type and a tunnel are ready, and a customer comes through', async () => {
  const { hosts } = await ready()
  const key = kelid('ssh-key').trim()
  for (const host of [hosts.exitSsh, hosts.hysteria, hosts.tunnelSsh])
    appendFileSync(`/mnt/${host.name}/home/.ssh/authorized_keys`, `${key}\n`)
  const common = { serverVersion: '1.0', serverVPNVersion: '2.6', serverMaxAccounts: 10, countryId: 276 }
  const since = performance.now()
  await call(addServer, {
    ...common,
    ...{ serverUUID: randomUUID(), serverName: 'ssh', serverType: 'xray', serverVPNType: 'trojan' },
    ...{ serverIPV4: hosts.exitSsh.address, serverURL: server.ssh, serverPort: 443 },
    ...{ serverTunnelActive: true, serverTunnelType: 'ssh' },
    ...{ serverSSHUsername: 'root', serverSSHKey: readFileSync(productKey().file, 'utf8') },
  })
  await call(addServer, {
    ...common,
    ...{
      serverUUID: randomUUID(),
      serverName: 'hysteria',
      serverType: 'hysteria',
      serverVPNType: 'hysteria2-direct',
    },
    ...{ serverIPV4: hosts.hysteria.address, serverURL: server.hysteria, serverPort: 443 },
    ...{ serverTunnelActive: false, serverTunnelType: '' },
  })
  await call(addTunnel, {
    ...{
      tunnelUUID: randomUUID(),
      tunnelName: 'tunnel',
      tunnelVersion: '1.0',
      tunnelType: 'ssh',
      tunnelMaxAccounts: 10,
    },
    ...{
      tunnelCreatorEmail: admin.email,
      tunnelIPV4: hosts.tunnelSsh.address,
      tunnelURL: 'tunnel.example',
      tunnelPort: 443,
    },
  })
  await until('all hosts are ready', 300, async () => {
    const now = await states()
    if (now.some((state) => !state.endsWith('ready'))) throw new Error(now.join(', '))
  })
  console.log(`ready after ${seconds(since)}`)

  const secret = randomUUID()
  await addAccount(hosts.exitSsh, 'trojan', secret, secret)
  await addAccount(hosts.hysteria, 'hysteria', secret, secret)
  for (const host of [hosts.exitSsh, hosts.hysteria]) {
    const authority =
      (await host.say('cat /etc/kelid/certificate/chain.pem')).split(/(?=-----BEGIN)/).at(-1) ?? ''
    const customer = await openCustomer({
      ...{ type: host === hosts.hysteria ? 'hysteria2' : 'trojan', port: 443, secret, authority },
      server: host === hosts.hysteria ? host.address : hosts.tunnelSsh.address,
      name: host === hosts.hysteria ? server.hysteria : server.ssh,
    })
    await until('a customer comes through', 60, async () =>
      expect((await customer.fetch('http://page.example:8080/')).stdout).toBe(page),
    )
    customer.close()
  }
  for (const host of [hosts.exitSsh, hosts.hysteria, hosts.tunnelSsh])
    await until(`the agent of ${host.name} is answered`, 30, async () =>
      expect(await host.say('journalctl -u kelid-agent --no-pager')).toContain('answers (epoch'),
    )
})
