import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { connect as secure, type TLSSocket } from 'node:tls'

const parallel = 50

/**
 * Opens a trojan connection for each secret and keeps it alive. Each has its own address, because the core does not count
 * connections from 127.0.0.1.
 */
export async function openCustomers(
  secrets: readonly string[],
  { port, ca, name }: { port: number; ca: string; name: string },
) {
  const page = createServer((socket) => socket.on('error', () => {}).pipe(socket)).listen(0, '127.0.0.1')
  await once(page, 'listening')
  const target = Buffer.from([1, 1, 127, 0, 0, 1, 0, 0])
  target.writeUInt16BE((page.address() as AddressInfo).port, 6)
  const open = async (secret: string, index: number): Promise<TLSSocket> => {
    const localAddress = `127.1.${1 + (index >> 8)}.${index & 255}`
    const socket = secure({
      socket: connect({ host: '127.0.0.1', port, localAddress }),
      ca,
      servername: name,
    })
    await once(socket, 'secureConnect')
    const password = createHash('sha224').update(secret).digest('hex')
    socket.write(Buffer.concat([Buffer.from(`${password}\r\n`), target, Buffer.from('\r\nhello')]))
    await once(socket, 'data')
    socket.on('error', () => {}).resume()
    return socket
  }
  const sockets: TLSSocket[] = []
  for (let at = 0; at < secrets.length; at += parallel)
    sockets.push(
      ...(await Promise.all(
        secrets.slice(at, at + parallel).map((secret, index) => open(secret, at + index)),
      )),
    )
  const timer = setInterval(() => {
    for (const socket of sockets) socket.write('still here')
  }, 5_000)
  return {
    openCount: () => sockets.filter(({ readyState }) => readyState === 'open').length,
    close() {
      clearInterval(timer)
      for (const socket of sockets) socket.destroy()
      page.close()
    },
  }
}
