import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { crowdConfig, downloadsThrough } from '../../apps/api/test/real/crowd.ts'
import { openUdp } from '../../apps/api/test/real/udp.ts'
import { type Ended, runBeside, until } from './commands.ts'
import { address } from './network.ts'
import { isPartOfDownload } from './pages.ts'
import { programs } from './programs.ts'

export type Way = {
  type: 'trojan' | 'hysteria2' | 'vless'
  server: string
  port: number
  name: string
  secret: string
  /** PEM of who vouches for the server. */
  authority: string
  /** Of several addresses, the one to come from. */
  from?: string
  /** More of the app's settings for TLS. */
  tls?: object
  /** Of a server with REALITY, whose certificate nobody checks. */
  reality?: { public_key: string; short_id: string }
}

export type Customer = Awaited<ReturnType<typeof openApp>>

let nextPort = 2000

/** A program that a customer has, which knows nothing of us, at an address of its own; it offers SOCKS at a port. */
export async function openApp(command: (listen: number) => string[]) {
  const listen = nextPort++
  const app = spawn('ip', ['netns', 'exec', 'customer', ...command(listen)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  for (const stream of [app.stdout, app.stderr]) stream.on('data', (text) => (log += text))
  await until('the app of a customer', 20, async () => {
    if (app.exitCode !== null) throw new Error(log)
    const socket = connect(listen, address.customer)
    await once(socket, 'connect')
    socket.destroy()
  })
  const proxy = ['--socks5-hostname', `${address.customer}:${listen}`]
  return {
    /** Where it offers SOCKS. */
    socks: { host: address.customer, port: listen },
    fetch: (url: string, ...args: string[]): Promise<Ended> =>
      runBeside(['curl', '--silent', '--show-error', '--max-time', '10', ...proxy, ...args, url]),
    /** Goes on until it is ended, and then says how far it came and whether it still ran. */
    download: (url: string) => {
      const curl = spawn('curl', ['--silent', '--no-buffer', ...proxy, url], {
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      let bytes = 0
      let lastAt = performance.now()
      let longestPause = 0
      let isIntact = true
      curl.stdout.on('data', (part: Buffer) => {
        isIntact &&= isPartOfDownload(part, bytes)
        longestPause = Math.max(longestPause, performance.now() - lastAt)
        bytes += part.length
        lastAt = performance.now()
      })
      const isOpen = () => curl.exitCode === null
      return {
        isOpen,
        bytes: () => bytes,
        /** Whether no byte of `/download` is missing or another one. */
        isIntact: () => isIntact,
        /** Milliseconds between two bytes, so far. */
        longestPause: () => Math.round(longestPause),
        /** When the last byte came. */
        lastAt: () => lastAt,
        end: () => {
          const end = { bytes, isOpen: isOpen() }
          curl.kill()
          return end
        },
      }
    },
    udp: () => openUdp({ host: address.customer, port: listen, from: address.control }),
    log: () => log,
    close: () => app.kill(),
  }
}

const realityOutboundOf = ({ type, server, port, name, secret, from, reality }: Way) => ({
  ...{ type, server, server_port: port, uuid: secret, flow: 'xtls-rprx-vision', inet4_bind_address: from },
  tls: {
    enabled: true,
    server_name: name,
    utls: { enabled: true, fingerprint: 'chrome' },
    reality: { enabled: true, ...reality },
  },
})

const outboundOf = (way: Way) => {
  if (way.reality) return realityOutboundOf(way)
  const { type, server, port, name, secret, authority, from, tls: more } = way
  const tls = {
    enabled: true,
    server_name: name,
    certificate: authority.trim().split('\n'),
    ...(type === 'trojan'
      ? { utls: { enabled: true, fingerprint: 'chrome' }, alpn: ['http/1.1'] }
      : { alpn: ['h3'] }),
    ...more,
  }
  return { type, server, server_port: port, password: secret, inet4_bind_address: from, tls }
}

const openSingBox = (configAt: (socks: { host: string; port: number }) => object) =>
  openApp((listen) => {
    const file = `/mnt/customer-${listen}.json`
    writeFileSync(file, JSON.stringify(configAt({ host: address.customer, port: listen })))
    return [programs['sing-box'], 'run', '-c', file]
  })

/** Somebody with sing-box. */
export const openCustomer = (way: Way) =>
  openSingBox(({ host, port }) => ({
    log: { level: 'error' },
    inbounds: [{ type: 'socks', listen: host, listen_port: port }],
    outbounds: [outboundOf(way)],
  }))

/** One sing-box for many accounts. */
export async function openCrowd(ways: readonly Way[]) {
  const app = await openSingBox((socks) => crowdConfig(socks, ways.map(outboundOf)))
  return { ...downloadsThrough(app.socks, ways.length), log: app.log, close: app.close }
}
