import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type SentAccount, usualHello } from '@kelid/contract'
import { stringify } from 'yaml'
import { formsOf } from '../../src/features/vpn-types/vpn-types.ts'
import { until } from '../until.ts'
import { freePort } from './ports.ts'
import { mihomo, singBox, xray } from './programs.ts'
import { openUdp } from './udp.ts'

const run = promisify(execFile)

export type RealCustomer = Awaited<ReturnType<typeof openRealCustomer>>

/** The connection of an account's link, to a core on this machine. */
export function wayOf({ accountQRString }: Pick<SentAccount, 'accountQRString'>, port: number) {
  const { username: secret, searchParams } = new URL(accountQRString)
  const serverName = searchParams.get('sni') ?? ''
  const given = { address: '127.0.0.1', port, secret, serverName }
  const [publicKey, shortId] = [searchParams.get('pbk'), searchParams.get('sid')]
  const reality = publicKey && shortId ? { publicKey, shortId } : null
  const quic = { obfuscation: searchParams.get('obfs-password') ?? '', hopPorts: '' }
  return { ...given, authorityFingerprint: null, hello: usualHello, reality, quic }
}

/** A customer with sing-box, or with the core where sing-box has no way, at an address of its own because the core does not count 127.0.0.1. */
export async function openRealCustomer(
  folder: string,
  account: Pick<SentAccount, 'accountVPNType' | 'accountQRString'>,
  { port, ca, from }: { port: number; ca: string; from: string },
) {
  const { singBox: outboundOf } = formsOf(account.accountVPNType)
  if (!outboundOf) return openXray(folder, account.accountQRString, { port, ca, from })
  return openRealApp(folder, { ...outboundOf(wayOf(account, port), ca), inet4_bind_address: from })
}

/** sing-box with one outbound and a local port. */
export async function openRealApp(folder: string, outbound: object) {
  const listen = await freePort()
  const config = {
    log: { level: 'error' },
    inbounds: [{ type: 'socks', listen: '127.0.0.1', listen_port: listen }],
    outbounds: [outbound],
  }
  const file = join(folder, `customer-${listen}.json`)
  await writeFile(file, JSON.stringify(config))
  return inUse(spawn(singBox, ['run', '-c', file], { stdio: 'ignore' }), listen)
}

/** The core as an app, with a link of trojan or VLESS. */
export async function openXray(
  folder: string,
  link: string,
  { port, ca, from, headers = {} }: { port: number; ca: string; from?: string; headers?: object },
) {
  const { protocol, username: secret, searchParams } = new URL(link)
  const user = { id: secret, encryption: 'none', flow: searchParams.get('flow') ?? '' }
  const xhttpSettings = {
    path: searchParams.get('path'),
    headers,
    mode: searchParams.get('mode'),
    extra: JSON.parse(searchParams.get('extra') ?? '{}'),
  }
  const realitySettings = {
    serverName: searchParams.get('sni'),
    fingerprint: searchParams.get('fp'),
    publicKey: searchParams.get('pbk'),
    shortId: searchParams.get('sid'),
  }
  const tlsSettings = {
    serverName: searchParams.get('sni'),
    fingerprint: searchParams.get('fp'),
    ...(searchParams.has('alpn') && { alpn: searchParams.get('alpn')?.split(',') }),
    disableSystemRoot: true,
    certificates: [{ usage: 'verify', certificate: ca.trim().split('\n') }],
  }
  const network = searchParams.get('type')
  const vless = {
    protocol: 'vless',
    settings: { vnext: [{ address: '127.0.0.1', port, users: [user] }] },
    streamSettings: {
      ...{ network, security: 'reality', realitySettings },
      ...(network === 'xhttp' && { xhttpSettings }),
    },
  }
  const trojan = {
    protocol: 'trojan',
    settings: { servers: [{ address: '127.0.0.1', port, password: secret }] },
    streamSettings: { network: 'tcp', security: 'tls', tlsSettings },
  }
  const outbound = protocol === 'vless:' ? vless : trojan
  return openXrayWith(folder, { ...outbound, ...(from && { sendThrough: from }) })
}

/** The core as an app with one outbound. */
export async function openXrayWith(folder: string, outbound: object) {
  const listen = await freePort()
  const config = {
    log: { loglevel: 'error' },
    inbounds: [{ listen: '127.0.0.1', port: listen, protocol: 'socks' }],
    outbounds: [outbound],
  }
  const file = join(folder, `customer-${listen}.json`)
  await writeFile(file, JSON.stringify(config))
  return inUse(spawn(xray, ['run', '-c', file], { stdio: 'ignore' }), listen)
}

/**
 * mihomo with one way out, likewise. It refuses everything for a moment after it has begun to listen, so `page`, which
 * is on this machine, is fetched without the proxy first.
 */
export async function openMihomo(folder: string, proxy: { name: string }, page: string) {
  const listen = await freePort()
  return runMihomo(folder, listen, { proxies: [proxy] }, proxy.name, page)
}

/** mihomo with the links of a subscription in base64, as apps read them that know neither of the other formats. */
export async function openMihomoWithLinks(folder: string, links: string, page: string) {
  const listen = await freePort()
  const path = join(folder, `links-${listen}.txt`)
  await writeFile(path, links)
  const providers = { subscription: { type: 'file', path } }
  const groups = [{ name: 'Links', type: 'select', use: ['subscription'] }]
  return runMihomo(folder, listen, { 'proxy-providers': providers, 'proxy-groups': groups }, 'Links', page)
}

async function runMihomo(folder: string, listen: number, ways: object, way: string, page: string) {
  const rules = ['DOMAIN,localhost,DIRECT', `MATCH,${way}`]
  const config = { 'mixed-port': listen, hosts: { localhost: '127.0.0.1' }, ...ways, rules }
  const file = join(folder, `customer-${listen}.yaml`)
  await writeFile(file, stringify(config))
  const app = await inUse(spawn(mihomo, ['-d', folder, '-f', file], { stdio: 'ignore' }), listen)
  await until(async () => (await app.fetch(page.replace('127.0.0.1', 'localhost'))) !== '', 'mihomo')
  return app
}

/** Once it listens. */
async function inUse(app: ChildProcess, listen: number) {
  const isListening = async () => {
    const socket = connect(listen, '127.0.0.1')
    const isThere = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    return isThere
  }
  await until(isListening, 'the app of a customer')
  const proxy = ['--silent', '--socks5-hostname', `127.0.0.1:${listen}`]
  return {
    /** What a page says; empty when it could not be had. */
    fetch: (url: string, within = 5): Promise<string> =>
      run('curl', [...proxy, '--max-time', String(within), url], { maxBuffer: 16 * 1024 * 1024 }).then(
        ({ stdout }) => stdout,
        () => '',
      ),
    /** Goes on until it ends. */
    stream(url: string) {
      const curl = spawn('curl', [...proxy, '--no-buffer', url], { stdio: ['ignore', 'pipe', 'ignore'] })
      let bytes = 0
      let at = Date.now()
      curl.stdout.on('data', (part) => {
        bytes += part.length
        at = Date.now()
      })
      return {
        bytes: () => bytes,
        /** Ended, or without a byte for half a second where one comes every few milliseconds. */
        isCut: () => curl.exitCode !== null || Date.now() - at > 500,
        end: () => curl.kill('SIGKILL'),
      }
    },
    /** Uploads until it ends. */
    send(url: string) {
      const curl = spawn('curl', [...proxy, '--upload-file', '/dev/zero', url], { stdio: 'ignore' })
      return { end: () => curl.kill('SIGKILL') }
    },
    udp: () => openUdp({ host: '127.0.0.1', port: listen, from: '127.0.0.1' }),
    close: () => app.kill('SIGKILL'),
  }
}
