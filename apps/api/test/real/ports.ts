import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** One that nobody has, for TCP or UDP alike. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const socket = createSocket('udp4').bind(port, '127.0.0.1')
  const isFree = await Promise.race([
    once(socket, 'listening').then(() => true),
    once(socket, 'error').then(() => false),
  ])
  if (isFree) await new Promise<void>((closed) => socket.close(closed))
  await new Promise((closed) => server.close(closed))
  return isFree ? port : freePort()
}
