import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { SentAccount } from '@kelid/contract'
import { formsOf } from '../../src/features/vpn-types/vpn-types.ts'
import { until } from '../until.ts'
import { wayOf } from './customer.ts'
import { freePort } from './ports.ts'
import { singBox } from './programs.ts'

/** One sing-box for many customers, each at an address of their own, as SOCKS users named by number. */
export async function openCrowd(
  folder: string,
  accounts: readonly SentAccount[],
  { port, ca, network }: { port: number; ca: string; network: string },
) {
  const listen = await freePort()
  const outbounds = accounts.map((account, index) => ({
    ...formsOf(account.accountVPNType).singBox?.(wayOf(account, port), ca),
    inet4_bind_address: `${network}.${index >> 7}.${(index & 127) + 1}`,
  }))
  const file = join(folder, `crowd-${listen}.json`)
  await writeFile(file, JSON.stringify(crowdConfig({ host: '127.0.0.1', port: listen }, outbounds)))
  const app = spawn(singBox, ['run', '-c', file], { stdio: 'ignore' })
  const isListening = () =>
    new Promise<boolean>((resolve) => {
      const probe = connect(listen, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
      probe.on('connect', () => probe.destroy())
    })
  await until(isListening, 'the app of a crowd')
  return {
    ...downloadsThrough({ host: '127.0.0.1', port: listen }, accounts.length),
    close: () => app.kill('SIGKILL'),
  }
}

interface Socks {
  host: string
  port: number
}

/** The settings of a sing-box whose SOCKS users, named by number, each have an outbound of their own. */
export function crowdConfig({ host, port }: Socks, outbounds: readonly object[]) {
  const users = outbounds.map((_, index) => ({ username: String(index), password: 'x' }))
  return {
    log: { level: 'error' },
    inbounds: [{ type: 'socks', listen: host, listen_port: port, users }],
    outbounds: outbounds.map((outbound, index) => ({ ...outbound, tag: String(index) })),
    route: { rules: users.map(({ username }) => ({ auth_user: [username], outbound: username })) },
  }
}

/** Without a byte, in milliseconds. */
const patience = 5_000

/** Downloads of the SOCKS users of a crowd. */
export function downloadsThrough({ host, port }: Socks, count: number) {
  async function stream(index: number, url: string) {
    const { hostname, port: to, pathname } = new URL(url)
    let bytes = 0
    const socket = connect(port, host).on('error', () => {})
    socket.setTimeout(patience, () => bytes === 0 && socket.destroy())
    const ended = once(socket, 'close').then(() => Promise.reject(new Error('the app closed it')))
    ended.catch(() => {})
    const say = async (...bytes: number[]) => {
      socket.write(Buffer.from(bytes))
      await Promise.race([once(socket, 'data'), ended])
    }
    const name = [...Buffer.from(String(index))]
    await Promise.race([once(socket, 'connect'), ended])
    await say(5, 1, 2)
    await say(1, name.length, ...name, 1, 'x'.charCodeAt(0))
    await say(5, 1, 0, 1, ...hostname.split('.').map(Number), Number(to) >> 8, Number(to) & 255)
    let at = performance.now()
    socket.on('data', (part) => {
      at = performance.now()
      bytes += part.length
    })
    socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`)
    return {
      bytes: () => bytes,
      lastAt: () => at,
      isEnded: () => socket.closed,
      isCut: () => socket.closed || performance.now() - at > 1_500,
      end: () => socket.destroy(),
    }
  }
  /** As a person would, who tries again after a few seconds: an app may first have to notice that its connection is gone. */
  async function begun(index: number, url: string) {
    for (const endBy = performance.now() + 60_000; performance.now() < endBy; ) {
      const one = await stream(index, url).catch(() => null)
      await until(() => !one || one.bytes() > 0 || one.isEnded(), 'a byte or the end')
      if (one && one.bytes() > 0) return one
    }
    throw new Error(`The download of customer ${index} did not begin`)
  }
  return {
    stream,
    /** One for each customer, begun a few at a time: the core gives a handshake four seconds. */
    async streams(url: string) {
      const streams: Awaited<ReturnType<typeof stream>>[] = []
      while (streams.length < count) {
        const fresh = Array.from({ length: Math.min(25, count - streams.length) }, (_, index) =>
          begun(streams.length + index, url),
        )
        streams.push(...(await Promise.all(fresh)))
      }
      return streams
    },
  }
}
