import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { connect as connectTls, type PeerCertificate, type TLSSocket } from 'node:tls'
import { authority } from './authority.ts'
import { runBeside } from './commands.ts'
import type { Host } from './host.ts'
import { address } from './network.ts'
import { echoPort } from './pages.ts'

/** What comes back for what is sent, and how and after how long the connection is closed. */
export const knock = (address: string, send: Buffer | string = '', port = 443) =>
  new Promise<{ answer: string; end: string; milliseconds: number }>((resolve) => {
    const since = performance.now()
    let answer = ''
    let end = 'reset'
    const socket = connect(port, address, () => send !== '' && socket.write(send))
    socket.on('data', (data) => {
      answer += data.toString('latin1')
    })
    socket.on('end', () => {
      end = 'closed'
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve({ answer, end, milliseconds: Math.round(performance.now() - since) }))
    socket.setTimeout(70_000, () => {
      end = 'open'
      socket.destroy()
    })
  })

export const withoutDate = (answer: string) => answer.replace(/^date: .*\r\n/im, '')

/** What TLS with a name shows: version, cipher, protocol, certificate, and the response to a HEAD. */
export async function shownTo(
  address: string,
  port: number,
  name: string,
  alpn: string[],
): Promise<string[]> {
  const sni = name ? ['-servername', name] : ['-noservername']
  const { stdout } = await runBeside(
    ['openssl', 's_client', '-connect', `${address}:${port}`, ...sni, '-alpn', alpn.join(','), '-ign_eof'],
    { input: 'HEAD / HTTP/1.1\r\nHost: any.example\r\nConnection: close\r\n\r\n', timeout: 10_000 },
  )
  const facts = /^(?:subject|issuer|New|ALPN|Server public key|HTTP|Server|Last-Modified|ETag|Content-).*$/gm
  return stdout.match(facts) ?? []
}

const half = Buffer.from('16030102000100', 'hex')
/** Answered at once, and not by TLS. */
export const nonsense: Record<string, Buffer | string> = {
  'plain HTTP': 'GET / HTTP/1.1\r\nHost: any.example\r\n\r\n',
  'random bytes': Buffer.from('9f3a'.repeat(32), 'hex'),
  'an SSH banner': 'SSH-2.0-OpenSSH_9.2\r\n',
  'a TLS record that is no hello': Buffer.from('17030300050102030405', 'hex'),
}
export const slowKnocks = { silence: '', 'one byte': half.subarray(0, 1), 'half a hello': half }

/** The first flight of a TLS client in other pieces, with a pause in milliseconds after each. */
export interface Flight {
  split: (hello: Buffer) => Buffer[]
  every?: number
}

const chunks = (bytes: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  )

const record = (content: Buffer): Buffer => {
  const header = Buffer.from([22, 3, 1, 0, 0])
  header.writeUInt16BE(content.length, 3)
  return Buffer.concat([header, content])
}

export const tcpPieces = (size: number, every: number): Flight => ({
  split: (hello) => chunks(hello, size),
  every,
})

/** In one write unless there is a pause. */
export const tlsRecords = (size: number, every = 0): Flight => ({
  split: (hello) => {
    const records = chunks(hello.subarray(5), size).map(record)
    return every > 0 ? records : [Buffer.concat(records)]
  },
  every,
})

/** Two TLS records, cut in the middle of the server name. */
export const splitName = (name: string): Flight => ({
  split: (hello) => {
    const at = hello.indexOf(name) + (name.length >> 1)
    return [Buffer.concat([record(hello.subarray(5, at)), record(hello.subarray(at))])]
  },
})

function inFlight(socket: Socket, { split, every = 0 }: Flight): Duplex {
  let isFirst = true
  const send = async (bytes: Buffer) => {
    const pieces = isFirst ? split(bytes) : [bytes]
    isFirst = false
    for (const piece of pieces) {
      socket.write(piece)
      if (every > 0 && pieces.length > 1) await pause(every)
    }
  }
  const duplex = new Duplex({
    read: () => {},
    write: (bytes, _, done) => void send(bytes).then(() => done(), done),
    destroy: (error, done) => {
      socket.destroy()
      done(error)
    },
  })
  socket.setNoDelay()
  socket.on('data', (data) => duplex.push(data)).on('end', () => duplex.push(null))
  socket.on('error', (error) => duplex.destroy(error))
  return duplex
}

interface Hello {
  after?: number
  ca?: string
  flight?: Flight
  /** Of the key exchange. */
  group?: string
}

/** The certificate that a name leads to, if the hello is sent after a while or in pieces. */
export async function handshake(
  host: Host,
  servername: string,
  { after = 0, ca = authority(), flight, group }: Hello = {},
): Promise<PeerCertificate> {
  const plain = connect(443, host.address)
  plain.setTimeout(30_000, () => plain.destroy(new Error('It took too long')))
  const closed = once(plain, 'close').then(() => {
    throw new Error('It was closed')
  })
  closed.catch(() => {})
  try {
    await once(plain, 'connect')
    if (after > 0) await Promise.race([pause(after), closed])
    const socket = flight ? inFlight(plain, flight) : plain
    const tls = connectTls({ socket, servername, ca, ...(group && { ecdhCurve: group }) })
    await Promise.race([once(tls, 'secureConnect'), closed])
    return tls.getPeerCertificate()
  } finally {
    plain.destroy()
  }
}

const atOnce = 50

async function openEach<T>(count: number, open: () => Promise<T | null>): Promise<T[]> {
  const opened: T[] = []
  let started = 0
  const openSome = async () => {
    while (started < count) {
      started += 1
      const one = await open()
      if (one) opened.push(one)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, openSome))
  return opened
}

/** After the handshake, or null. It is closed after a minute of silence. */
async function shakeHands(host: Host, servername: string): Promise<TLSSocket | null> {
  const tls = { servername, ca: authority(), ALPNProtocols: ['http/1.1'] }
  const socket = connectTls({ host: host.address, port: 443, ...tls })
  socket.on('error', () => {})
  socket.setTimeout(60_000, () => socket.destroy())
  const closed = once(socket, 'close').then(() => false)
  const isOpen = await Promise.race([once(socket, 'secureConnect').then(() => true), closed]).catch(
    () => false,
  )
  return isOpen ? socket : null
}

/** Connections after their handshake, as far as the host accepted them. The core closes them after a minute. */
export async function openMany(host: Host, servername: string, count: number): Promise<TLSSocket[]> {
  const opened = await openEach(count, () => shakeHands(host, servername))
  return opened.filter((socket) => !socket.destroyed)
}

/** What a trojan client sends first: who it is, and that it wants to connect to the echo. */
const askForEcho = (secret: string): Buffer =>
  Buffer.concat([
    Buffer.from(`${createHash('sha224').update(secret).digest('hex')}\r\n`),
    Buffer.from([1, 1, ...address.world.split('.').map(Number), echoPort >> 8, echoPort & 255]),
    Buffer.from('\r\n'),
  ])

/** Whether a byte gets to the echo and back. */
async function isEchoed(socket: TLSSocket, before: Buffer | string = ''): Promise<boolean> {
  if (socket.destroyed) return false
  const patience = setTimeout(() => socket.destroy(), 30_000)
  const answer = once(socket, 'data').then(() => true)
  const closed = once(socket, 'close').then(() => false)
  socket.write(Buffer.concat([Buffer.from(before), Buffer.from('x')]))
  const isAnswered = await Promise.race([answer, closed]).catch(() => false)
  clearTimeout(patience)
  return isAnswered
}

/**
 * Connections of a customer with trojan that reached the echo and are silent from then on. The core ends them after five
 * minutes.
 */
export const openIdle = (
  host: Host,
  servername: string,
  secret: string,
  count: number,
): Promise<TLSSocket[]> =>
  openEach(count, async () => {
    const socket = await shakeHands(host, servername)
    if (!socket || !(await isEchoed(socket, askForEcho(secret)))) return null
    return socket.setTimeout(0)
  })

/** How many idle connections still work in both directions. */
export async function countWorking(idle: readonly TLSSocket[]): Promise<number> {
  const working = await Promise.all(idle.map((socket) => isEchoed(socket)))
  return working.filter(Boolean).length
}
