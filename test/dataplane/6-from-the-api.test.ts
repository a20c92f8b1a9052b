import { execFileSync, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seconds, until } from './commands.ts'
import { bootHost, type Host } from './host.ts'
import { address } from './network.ts'
import { programs } from './programs.ts'
import { names } from './resolver.ts'
import { stage } from './stage.ts'

const apps = join(import.meta.dirname, '../../apps')
const data = '/mnt/api/data'
const email = 'admin@example.com'
const password = `Aa1-${randomBytes(9).toString('base64url')}`
const environment = {
  PATH: process.env.PATH,
  PORT: '8099',
  KELID_DATA_DIR: data,
  KELID_ADMIN_EMAIL: email,
  KELID_ADMIN_PASSWORD: password,
  KELID_METRICS_PORT: '0',
  KELID_LOG_LEVEL: 'warn',
  KELID_AGENT_HOST: address.control,
  KELID_AGENT_URL: `https://${address.control}:8443`,
}
type Answer = Record<string, string>

let token = ''
async function call(path: string, body: object): Promise<Answer> {
  const reply = await fetch(`http://127.0.0.1:8099/api/v1/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ client: 'web', clientVersion: '1.0', ...body }),
  })
  const { response } = (await reply.json()) as {
    response: { status: number; detailedResponse: Answer[]; error: unknown }
  }
  if (response.status !== 1) throw new Error(`${path}: ${JSON.stringify(response.error)}`)
  return response.detailedResponse?.[0] ?? {}
}

const cli = (...args: string[]) =>
  execFileSync(process.execPath, [join(apps, 'api/dist/cli.js'), ...args], {
    env: environment,
    encoding: 'utf8',
  })

let product: ReturnType<typeof spawn>
let hosts: { server: Host; ssh: Host; tunnel: Host; sshTunnel: Host }
beforeAll(async () => {
  await stage()
  for (const app of ['api', 'agent']) execFileSync(process.execPath, [join(apps, app, 'build.mjs')])
  mkdirSync('/mnt/api')
  for (const folder of ['/mnt', '/mnt/api']) chmodSync(folder, 0o755)
  const [server, ssh, tunnel, sshTunnel] = await Promise.all([
    bootHost('api-server', '198.51.100.31'),
    bootHost('api-ssh', '198.51.100.32'),
    bootHost('api-tunnel', '198.51.100.33'),
    bootHost('api-ssh-tunnel', '198.51.100.34'),
  ])
  hosts = { server, ssh, tunnel, sshTunnel }
  names.set('api-ws.example', server.address)
  names.set('api-ssh.example', ssh.address)
  cli('core', 'add', programs.xray)
  product = spawn(process.execPath, [join(apps, 'api/dist/main.js')], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  product.stdout?.on('data', (text) => {
    output += text
  })
  await until('the product to be ready', 60, () => {
    if (!output.includes('ready at')) throw new Error(output)
  })
  token = (await call('auth/signin', { email, password })).token ?? ''
  await call('admin/setsettings', {
    certificates: { source: 'own', acmeDirectory: 'https://acme.example.com/directory', acmeEmail: '' },
  })
  const key = cli('ssh-key').trim()
  for (const host of [server, tunnel, sshTunnel])
    await host.say(
      `echo '${key}' > /root/.ssh/authorized_keys.product; cat /root/.ssh/authorized_keys.product >> /root/.ssh/authorized_keys`,
    )
  // Reached by a password, as a user who may become root.
  await ssh.say(
    'useradd -m -s /bin/bash deploy; echo deploy:Open-Sesame-77 | chpasswd; adduser deploy sudo || usermod -aG sudo deploy; printf "PasswordAuthentication yes\\n" > /etc/ssh/sshd_config.d/00-password.conf; systemctl reload ssh',
  )
}, 300_000)
afterAll(() => {
  product?.kill('SIGTERM')
})

const serverBody = (name: string, host: Host, serverTunnelType: string) => ({
  serverUUID: randomUUID(),
  serverName: name,
  serverType: 'xray',
  serverVersion: '1.0',
  serverVPNType: 'trojan',
  serverVPNVersion: '1.0',
  serverIPV4: host.address,
  serverURL: `${name}.example`,
  serverPort: 443,
  serverMaxAccounts: 10,
  serverTunnelActive: true,
  serverTunnelType,
  countryId: 276,
})
const tunnelBody = (name: string, host: Host, tunnelType: string) => ({
  tunnelUUID: randomUUID(),
  tunnelName: name,
  tunnelVersion: '1.0',
  tunnelType,
  tunnelCreatorEmail: email,
  tunnelIPV4: host.address,
  tunnelURL: `${name}.example`,
  tunnelPort: 443,
  tunnelMaxAccounts: 10,
})
const open = ['queued', 'running']
async function settled(kind: 'server' | 'tunnel', uuid: string): Promise<string> {
  const named = { [`${kind}UUID`]: uuid }
  await until(`${kind} ${uuid} to be done`, 240, async () => {
    const reply = await fetch(`http://127.0.0.1:8099/api/v1/${kind}s/getruns`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ client: 'web', clientVersion: '1.0', ...named }),
    })
    const text = await reply.text()
    if (open.some((state) => text.includes(`"runState":"${state}"`))) throw new Error('not yet')
  })
  return (await call(`${kind}s/getansiblelog`, named)).ansibleLog ?? ''
}
const changesIn = (log: string) => Number(/target\s+:.*changed=(\d+)/.exec(log)?.[1] ?? -1)

test('servers and tunnels of both kinds are ready from the API alone; each end knows the other; once more changes nothing', async () => {
  const since = performance.now()
  const tunnels = [
    tunnelBody('api-ws-tunnel', hosts.tunnel, 'wstunnel'),
    tunnelBody('api-ssh-tunnel', hosts.sshTunnel, 'ssh'),
  ]
  const servers = [
    serverBody('api-ws', hosts.server, 'wstunnel'),
    {
      ...serverBody('api-ssh', hosts.ssh, 'ssh'),
      serverSSHUsername: 'deploy',
      serverSSHPassword: 'Open-Sesame-77',
    },
  ]
  await Promise.all([
    ...tunnels.map((body) => call('tunnels/add', body)),
    ...servers.map((body) => call('servers/add', body)),
  ])
  for (let round = 0; round < 3; round += 1) {
    for (const { serverUUID } of servers) await settled('server', serverUUID)
    for (const { tunnelUUID } of tunnels) await settled('tunnel', tunnelUUID)
  }
  for (const { serverUUID } of servers) {
    const log = await settled('server', serverUUID)
    expect((await call('servers/getserver', { serverUUID })).serverState, log).toBe('ready')
  }
  for (const { tunnelUUID } of tunnels) {
    const log = await settled('tunnel', tunnelUUID)
    expect((await call('tunnels/gettunnel', { tunnelUUID })).tunnelState, log).toBe('ready')
  }
  console.log(`2 servers and 2 tunnels from the API in ${seconds(since)}`)
  expect(await hosts.tunnel.say('cat /etc/kelid/core.json')).toContain('api-ws.example')
  expect(await hosts.sshTunnel.say('systemctl is-active kelid-relay@1.service')).toBe('active')

  for (const { serverUUID } of servers) {
    await call('servers/provision', { serverUUID })
    const log = await settled('server', serverUUID)
    expect(changesIn(log), log).toBe(0)
  }
  for (const { tunnelUUID } of tunnels) {
    await call('tunnels/provision', { tunnelUUID })
    const log = await settled('tunnel', tunnelUUID)
    expect(changesIn(log), log).toBe(0)
  }

  const [{ serverUUID = '' } = {}] = servers
  await call('servers/remove', { serverUUID })
  await until('the removed host to be clean', 120, async () => {
    const left = await hosts.server.ssh('ls -d /etc/kelid /usr/local/lib/kelid')
    if (left.stdout) throw new Error(left.stdout)
  })
  const [{ tunnelUUID = '' } = {}] = tunnels
  await settled('tunnel', tunnelUUID)
  expect(await hosts.tunnel.say('cat /etc/kelid/core.json')).not.toContain('api-ws.example')
}, 1_500_000)
