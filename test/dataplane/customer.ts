import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { type Ended, runBeside, until } from './commands.ts'
import { address } from './network.ts'
import { programs } from './programs.ts'

export type Way = {
  type: 'trojan' | 'hysteria2'
  server: string
  port: number
  name: string
  secret: string
  /** PEM of who vouches for the server. */
  authority: string
  /** Of several addresses, the one to come from. */
  from?: string
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
      curl.stdout.on('data', (part) => {
        bytes += part.length
        lastAt = performance.now()
      })
      const isOpen = () => curl.exitCode === null
      return {
        isOpen,
        bytes: () => bytes,
        /** When the last byte came. */
        lastAt: () => lastAt,
        end: () => {
          const end = { bytes, isOpen: isOpen() }
          curl.kill()
          return end
        },
      }
    },
    udp: () => openUdp(listen),
    log: () => log,
    close: () => app.kill(),
  }
}

/** Somebody with sing-box. */
export const openCustomer = ({ type, server, port, name, secret, authority, from }: Way) =>
  openApp((listen) => {
    const file = `/mnt/customer-${listen}.json`
    const tls = {
      enabled: true,
      server_name: name,
      certificate: authority.trim().split('\n'),
      ...(type === 'trojan'
        ? { utls: { enabled: true, fingerprint: 'chrome' }, alpn: ['http/1.1'] }
        : { alpn: ['h3'] }),
    }
    const way = { type, server, server_port: port, password: secret, inet4_bind_address: from }
    const config = {
      log: { level: 'error' },
      inbounds: [{ type: 'socks', listen: address.customer, listen_port: listen }],
      outbounds: [{ ...way, tls }],
    }
    writeFileSync(file, JSON.stringify(config))
    return [programs['sing-box'], 'run', '-c', file]
  })

async function read(socket: Socket): Promise<Buffer> {
  const [data] = await once(socket, 'data')
  return data
}

/** One association, as SOCKS has it, for packets to many places. */
async function openUdp(port: number) {
  const control = connect(port, address.customer)
  await once(control, 'connect')
  control.write(Buffer.from([5, 1, 0]))
  await read(control)
  control.write(Buffer.from([5, 3, 0, 1, 0, 0, 0, 0, 0, 0]))
  const bound = (await read(control)).readUInt16BE(8)
  const socket = createSocket('udp4')
  socket.bind(0, address.control)
  await once(socket, 'listening')
  return {
    /** What comes back within the time, or null. */
    ask: (ip: string, to: number, milliseconds = 1500) =>
      new Promise<string | null>((resolve) => {
        const timer = setTimeout(() => resolve(null), milliseconds)
        socket.removeAllListeners('message')
        socket.on('message', (packet) => {
          clearTimeout(timer)
          resolve(packet.subarray(10).toString())
        })
        const header = Buffer.from([0, 0, 0, 1, ...ip.split('.').map(Number), to >> 8, to & 255])
        socket.send(Buffer.concat([header, Buffer.from('?')]), bound, address.customer)
      }),
    close: () => {
      socket.close()
      control.destroy()
    },
  }
}
