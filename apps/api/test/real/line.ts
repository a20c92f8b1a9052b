import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** The line between a host and the control plane, which can be cut and mended. */
export async function openLine(url: string) {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let isUp = true
  const server = createServer((near) => {
    if (!isUp) return near.destroy()
    const far = connect(Number(target.port), target.hostname)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.pipe(other)
      one.on('error', () => {})
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    isUp = false
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    mend: () => {
      isUp = true
    },
    close() {
      cut()
      server.close()
    },
  }
}
