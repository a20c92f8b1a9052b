import { randomUUID } from 'node:crypto'
import { addServer, addTunnel, getServer, getTunnel, type TunnelType } from '@kelid/contract'
import { expect } from 'vitest'
import type { Body } from '../../e2e/call.ts'
import { seconds } from './commands.ts'
import { bootHost, type Host } from './host.ts'
import { administrator, call, type Kind, openProduct, settled } from './product.ts'
import { names } from './resolver.ts'
import { memo, world } from './stage.ts'

const password = 'Open-Sesame-77'

export const server = (
  name: string,
  host: Host,
  serverTunnelType: TunnelType | '',
): Body<typeof addServer> => ({
  serverUUID: randomUUID(),
  serverName: name,
  serverType: 'xray',
  serverVersion: '1.0',
  serverVPNType: 'trojan',
  serverVPNVersion: '1.0',
  serverIPV4: host.address,
  serverURL: `${name}.example`,
  serverPort: 443,
  serverMaxAccounts: 1_000,
  serverTunnelActive: true,
  serverTunnelType,
  countryId: 276,
})
export const hysteria = (name: string, host: Host): Body<typeof addServer> => ({
  ...server(name, host, ''),
  serverType: 'hysteria',
  serverVPNType: 'hysteria2-direct',
  serverTunnelActive: false,
})
export const tunnel = (name: string, host: Host, tunnelType: TunnelType): Body<typeof addTunnel> => ({
  tunnelUUID: randomUUID(),
  tunnelName: name,
  tunnelVersion: '1.0',
  tunnelType,
  tunnelCreatorEmail: administrator.email,
  tunnelIPV4: host.address,
  tunnelURL: `${name}.example`,
  tunnelPort: 443,
  tunnelMaxAccounts: 1_000,
})

/** Lets the product log in with its SSH key. */
export const trust = (host: Host, key: string) => host.say(`echo '${key}' >> /root/.ssh/authorized_keys`)

/** The product, with the public half of its SSH key. */
export const productKey = memo(async () => {
  await world()
  return openProduct()
})

/** The product and its hosts, of which one is nobody's yet. */
export const installation = memo(async () => {
  const key = await productKey()
  const [wsServer, sshServer, wsTunnel, sshTunnel, hysteriaServer, direct] = await Promise.all([
    bootHost('api-server', '198.51.100.31'),
    bootHost('api-ssh', '198.51.100.32'),
    bootHost('api-tunnel', '198.51.100.33'),
    bootHost('api-ssh-tunnel', '198.51.100.34'),
    bootHost('api-hysteria', '198.51.100.36'),
    bootHost('api-direct', '198.51.100.35'),
  ])
  names.set('api-ws.example', wsServer.address)
  names.set('api-ssh.example', sshServer.address)
  names.set('api-hysteria.example', hysteriaServer.address)
  names.set('api-direct.example', direct.address)
  for (const host of [wsServer, wsTunnel, sshTunnel, hysteriaServer, direct]) await trust(host, key)
  // Reached by a password, as a user who may become root.
  await sshServer.say(
    `useradd -m -s /bin/bash deploy; echo deploy:${password} | chpasswd; usermod -aG sudo deploy; printf "PasswordAuthentication yes\\n" > /etc/ssh/sshd_config.d/00-password.conf; systemctl reload ssh`,
  )
  return { wsServer, sshServer, wsTunnel, sshTunnel, hysteriaServer, direct }
})

/** A server of each kind and both tunnels, added by calls and done with. */
export const added = memo(async () => {
  const hosts = await installation()
  const since = performance.now()
  const tunnels = [
    tunnel('api-ws-tunnel', hosts.wsTunnel, 'wstunnel'),
    tunnel('api-ssh-tunnel', hosts.sshTunnel, 'ssh'),
  ] as const
  const servers = [
    server('api-ws', hosts.wsServer, 'wstunnel'),
    {
      ...server('api-ssh', hosts.sshServer, 'ssh'),
      serverSSHUsername: 'deploy',
      serverSSHPassword: password,
    },
    hysteria('api-hysteria', hosts.hysteriaServer),
  ] as const
  await Promise.all([
    ...tunnels.map((body) => call(addTunnel, body)),
    ...servers.map((body) => call(addServer, body)),
  ])
  const rows: { kind: Kind; uuid: string }[] = [
    ...servers.map(({ serverUUID }) => ({ kind: 'server' as const, uuid: serverUUID })),
    ...tunnels.map(({ tunnelUUID }) => ({ kind: 'tunnel' as const, uuid: tunnelUUID })),
  ]
  // Who is done sets off who is at its other end.
  for (let round = 0; round < 3; round += 1)
    await Promise.all(rows.map(({ kind, uuid }) => settled(kind, uuid)))
  for (const { serverUUID } of servers)
    expect((await call(getServer, { serverUUID })).serverState, await settled('server', serverUUID)).toBe(
      'ready',
    )
  for (const { tunnelUUID } of tunnels)
    expect((await call(getTunnel, { tunnelUUID })).tunnelState, await settled('tunnel', tunnelUUID)).toBe(
      'ready',
    )
  console.log(`3 servers and 2 tunnels from the API in ${seconds(since)}`)
  const exits = { hysteria2: hosts.hysteriaServer, ssh: hosts.sshServer, wstunnel: hosts.wsServer }
  return { hosts, exits, rows, servers, tunnels }
})
