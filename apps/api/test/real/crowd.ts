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
  const users = accounts.map((_, index) => ({ username: String(index), password: 'x' }))
  const outbounds = accounts.map((account, index) => ({
    ...formsOf(account.accountVPNType).singBox(wayOf(account, port), ca),
    tag: String(index),
    inet4_bind_address: `${network}.${index >> 7}.${(index & 127) + 1}`,
  }))
  const rules = users.map(({ username }) => ({ auth_user: [username], outbound: username }))
  const config = {
    log: { level: 'error' },
    inbounds: [{ type: 'socks', listen: '127.0.0.1', listen_port: listen, users }],
    ...{ outbounds, route: { rules } },
  }
  const file = join(folder, `crowd-${listen}.json`)
  await writeFile(file, JSON.stringify(config))
  const app = spawn(singBox, ['run', '-c', file], { stdio: 'ignore' })
  const isListening = () =>
    new Promise<boolean>((resolve) => {
      const probe = connect(listen, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
      probe.on('connect', () => probe.destroy())
    })
  await until(isListening, 'the app of a crowd')
  async function stream(index: number, url: string) {
    const { hostname, port: to, pathname } = new URL(url)
    const socket = connect(listen, '127.0.0.1').on('error', () => {})
    const say = async (...bytes: number[]) => {
      socket.write(Buffer.from(bytes))
      await once(socket, 'data')
    }
    const name = [...Buffer.from(String(index))]
    await once(socket, 'connect')
    await say(5, 1, 2)
    await say(1, name.length, ...name, 1, 'x'.charCodeAt(0))
    await say(5, 1, 0, 1, ...hostname.split('.').map(Number), Number(to) >> 8, Number(to) & 255)
    let at = performance.now()
    let bytes = 0
    socket.on('data', (part) => {
      at = performance.now()
      bytes += part.length
    })
    socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`)
    return {
      bytes: () => bytes,
      lastAt: () => at,
      isCut: () => socket.closed || performance.now() - at > 1_500,
      end: () => socket.destroy(),
    }
  }
  return {
    stream,
    /** One for each customer, begun a few at a time: the core gives a handshake four seconds. */
    async streams(url: string) {
      const streams: Awaited<ReturnType<typeof stream>>[] = []
      while (streams.length < accounts.length) {
        const fresh = accounts.slice(streams.length, streams.length + 25)
        streams.push(...(await Promise.all(fresh.map((_, index) => stream(streams.length + index, url)))))
        await until(() => streams.every(({ bytes }) => bytes() > 0), `${streams.length} downloads`)
      }
      return streams
    },
    close: () => app.kill('SIGKILL'),
  }
}
