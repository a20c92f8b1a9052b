import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type VpnType, vpnCatalogue } from '@kelid/contract'
import { authority, issue, openAuthority } from './authority.ts'
import { run, seconds } from './commands.ts'
import { addAccount } from './core-api.ts'
import { openCustomer } from './customer.ts'
import { bootHost, type Host, openHosts } from './host.ts'
import { address, assertOwnWorld, openNetwork } from './network.ts'
import { openPages } from './pages.ts'
import { openPebble } from './pebble.ts'
import { common, type Description, provision } from './provision.ts'
import { names, openResolver } from './resolver.ts'

/** Made when it is first asked for, and once. */
export const memo = <T>(make: () => Promise<T>) => {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** The servers by their names; the last two are set up by the tests that are about setting up. */
export const server = {
  ssh: 'ssh.exit.example',
  ws: 'ws.exit.example',
  hysteria: 'direct.example',
  spare: 'spare.example',
  other: 'other.example',
}

/** A customer of one of these servers, who comes in at a host. */
export const customerAt = (host: Host, name: string, secret: string, { ca = authority(), tls = {} } = {}) =>
  openCustomer({
    type: name === server.hysteria ? 'hysteria2' : 'trojan',
    server: host.address,
    port: 443,
    name,
    secret,
    authority: ca,
    tls,
  })

/** A network with a resolver and pages, and no host yet. */
export const world = memo(async () => {
  assertOwnWorld()
  openNetwork()
  openHosts()
  openAuthority()
  await Promise.all([openResolver(), openPages()])
  names.set('page.example', address.world)
})

/** The hosts that are set up without the product, once for all files. */
export const stage = memo(async () => {
  await world()
  run('ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-C', 'tunnel', '-f', '/mnt/tunnel-key')
  const since = performance.now()
  const [exitSsh, exitWs, hysteria, tunnelSsh, tunnelWs, spare, other] = await Promise.all([
    bootHost('exit-ssh', '198.51.100.11'),
    bootHost('exit-ws', '198.51.100.12'),
    bootHost('hysteria', '198.51.100.13'),
    bootHost('tunnel-ssh', '198.51.100.14'),
    bootHost('tunnel-ws', '198.51.100.15'),
    bootHost('spare', '198.51.100.16'),
    bootHost('other', '198.51.100.17'),
  ])
  console.log(`7 hosts booted in ${seconds(since)}`)
  const hosts = { exitSsh, exitWs, hysteria, tunnelSsh, tunnelWs, spare, other }
  names.set(server.ssh, exitSsh.address)
  names.set(server.ws, exitWs.address)
  names.set(server.hysteria, hysteria.address)
  names.set(server.spare, spare.address)
  names.set(server.other, other.address)
  return hosts
})

const relayKey = () => readFileSync('/mnt/tunnel-key.pub', 'utf8').trim()
export const ws = { path: `/${randomUUID()}`, id: randomUUID() }
export const vpn = (vpnType: VpnType) => ({ vpn_type: vpnType, vpn: vpnCatalogue[vpnType] })
export const own = (name: string) => ({ source: 'own', name, ...issue(name) })

export const trojanSsh = <C extends object = ReturnType<typeof own>>(
  name: string,
  certificate = own(name) as unknown as C,
) => ({
  ...common('server', name),
  certificate,
  server: { ...vpn('trojan'), name, port: 443, tunnel_type: 'ssh', relay_keys: [relayKey()], ws: null },
})

export const exit = (host: Host, uuid: string, name: string, slot: number) => ({
  uuid,
  name,
  ipv4: host.address,
  port: 443,
  slot,
  service: 1,
  ssh_port: 22,
  ssh_host_key: host.hostKey,
  ws_path: ws.path,
  ws_id: ws.id,
  ca: authority(),
})

export const tunnel = (type: 'ssh' | 'wstunnel', ...exits: object[]) => ({
  ...common('tunnel', type),
  certificate: { source: 'self', name: `${type}.tunnel.example` } as object,
  tunnel: { type, port: 443, key: type === 'ssh' ? readFileSync('/mnt/tunnel-key', 'utf8') : '', exits },
})

export async function setUp(host: Host, description: Description) {
  const since = performance.now()
  // As loud as a run can be: nothing secret may be in its log even so.
  const done = await provision(host, description, '--diff', '-vv')
  if (done.code !== 0) throw new Error(`${host.name} could not be set up:\n${done.log}`)
  console.log(`${host.name} set up in ${seconds(since)}, ${done.changed} changes`)
  return done
}

export const pebble = memo(openPebble)

/** A certificate from a directory with an authority of its own. */
export async function acme(name: string) {
  const { directory, ca } = await pebble()
  return { source: 'acme', directory, email: 'operator@example.com', name, ca_bundle: ca }
}

/** The spare host as one more server of SSH tunnels, with a certificate by ACME. */
export const spareReady = memo(async () => {
  const { spare } = await stage()
  const description = trojanSsh(server.spare, await acme(server.spare))
  await setUp(spare, description)
  return { spare, description, root: (await pebble()).root }
})

/** One server of each kind and one tunnel of each kind, ready. */
export const ready = memo(async () => {
  const hosts = await stage()
  const exitSsh = trojanSsh(server.ssh)
  const exitWs = {
    ...common('server', server.ws),
    certificate: own(server.ws),
    server: { ...vpn('trojan'), name: server.ws, port: 443, tunnel_type: 'wstunnel', relay_keys: [], ws },
  }
  const hysteria = {
    ...common('server', server.hysteria),
    certificate: own(server.hysteria),
    server: {
      ...vpn('hysteria2-direct'),
      name: server.hysteria,
      port: 443,
      tunnel_type: '',
      relay_keys: [],
      ws: null,
    },
  }
  const tunnelSsh = tunnel('ssh', exit(hosts.exitSsh, exitSsh.host.uuid, server.ssh, 1))
  const tunnelWs = tunnel('wstunnel', exit(hosts.exitWs, exitWs.host.uuid, server.ws, 1))
  const descriptions = { exitSsh, exitWs, hysteria, tunnelSsh, tunnelWs }
  const all = Object.entries(descriptions) as [keyof typeof descriptions, Description][]
  const done = await Promise.all(all.map(([name, description]) => setUp(hosts[name], description)))
  return { hosts, descriptions, logs: done.map(({ log }) => log) }
})

/** An account that all three servers let in; returns its secret. */
export async function accountEverywhere(): Promise<string> {
  const { hosts } = await ready()
  const id = randomUUID()
  const secret = randomUUID()
  await Promise.all([
    addAccount(hosts.exitSsh, 'trojan', id, secret),
    addAccount(hosts.exitWs, 'trojan', id, secret),
    addAccount(hosts.hysteria, 'hysteria', id, secret),
  ])
  return secret
}
