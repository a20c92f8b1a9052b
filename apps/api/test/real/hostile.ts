import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/**
 * A name that the core writes into its access log and that reads like entries of it: one whole entry, and the beginning of
 * another that the core itself completes. Without brackets, for a hysteria2 request cannot have them.
 */
export function forgingName(id: string, address: string, port: number): string {
  const entry = `2026/11/17 01:25:08.022026 from ${address}:${port} accepted tcp:x`
  return `x\n${entry} email: ${id}\n${entry}`
}

/** The same for trojan, which writes it into the reason of a refusal, brackets and all. */
export const forgingTrojanName = (id: string, address: string, port: number): string =>
  `x\n2026/11/17 01:25:08.022026 from ${address}:${port} accepted tcp:x:1 [vpn -> direct] email: ${id}`

const withName = (name: string, port: number) =>
  Buffer.concat([
    Buffer.from([3, Buffer.byteLength(name)]),
    Buffer.from(name),
    Buffer.from([port >> 8, port & 255]),
  ])

/** Configures a core as a hysteria2 client that requests one name for every connection to its local port. */
export const hysteriaAsking = (
  way: { host: string; port: number; name: string; ca: string; secret: string; from: string },
  listen: { address: string; port: number },
  name: string,
) => ({
  inbounds: [
    {
      ...{ listen: listen.address, port: listen.port, protocol: 'dokodemo-door' },
      // Two pairs of brackets: the core takes off one here and one where it arrives, and allows colons between them.
      settings: { address: `[[${name}]]`, port: 80, network: 'tcp' },
    },
  ],
  outbounds: [
    {
      protocol: 'hysteria',
      sendThrough: way.from,
      settings: { version: 2, address: way.host, port: way.port },
      streamSettings: {
        ...{ network: 'hysteria', security: 'tls', hysteriaSettings: { version: 2, auth: way.secret } },
        tlsSettings: {
          ...{ serverName: way.name, alpn: ['h3'], disableSystemRoot: true },
          certificates: [{ usage: 'verify', certificate: way.ca.trim().split('\n') }],
        },
      },
    },
  ],
})

/** Has the client ask, and waits for what becomes of it; false while it does not listen. */
export async function askOnce(host: string, port: number): Promise<boolean> {
  const socket = connect(port, host)
  const isThere = await new Promise<boolean>((resolve) =>
    socket.once('connect', () => resolve(true)).on('error', () => resolve(false)),
  )
  if (!isThere) return false
  socket.write('GET / HTTP/1.0\r\n\r\n')
  await once(socket.resume(), 'close')
  return true
}

/** A trojan client of one's own, which sends any name. Ends when the server does. */
export async function trojanRequest(
  way: { host: string; port: number; name: string; ca: string; secret: string; from?: string },
  name: string,
): Promise<void> {
  const { host, port, ca, secret, from } = way
  const socket = connectTls({
    host,
    port,
    servername: way.name,
    ca,
    ALPNProtocols: ['http/1.1'],
    ...(from && { localAddress: from }),
  })
  await once(socket, 'secureConnect')
  const key = createHash('sha224').update(secret).digest('hex')
  socket.write(Buffer.concat([Buffer.from(`${key}\r\n\x01`), withName(name, 80), Buffer.from('\r\n')]))
  socket.on('error', () => {}).resume()
  await once(socket, 'close')
}

async function read(socket: Socket): Promise<Buffer> {
  const [data] = await once(socket, 'data')
  return data
}

/**
 * Asks for a TLS port through somebody's app (SOCKS) and claims there, by a PROXY header, to be somebody else. Whether the
 * port has shaken hands.
 */
export async function claimsToBe(
  socks: { host: string; port: number },
  to: { name: string; port: number; tlsName: string },
  claimed: string,
): Promise<boolean> {
  const socket = connect(socks.port, socks.host)
  try {
    await once(socket, 'connect')
    socket.write(Buffer.from([5, 1, 0]))
    await read(socket)
    socket.write(Buffer.concat([Buffer.from([5, 1, 0]), withName(to.name, to.port)]))
    const [, reply] = await read(socket)
    if (reply !== 0) return false
    socket.write(`PROXY TCP4 ${claimed} 127.0.0.1 40000 ${to.port}\r\n`)
    const tls = connectTls({ socket, servername: to.tlsName, rejectUnauthorized: false })
    return await new Promise((resolve) => {
      tls.once('secureConnect', () => resolve(true))
      for (const end of ['error', 'close', 'end']) tls.once(end, () => resolve(false))
      socket.setTimeout(3_000, () => resolve(false))
    })
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
