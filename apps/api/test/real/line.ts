import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net'

/** A TCP connection through us to somewhere, which can be cut and mended, or go silent without telling either end. */
export async function openTcpLine(target: NetConnectOpts) {
  const sockets = new Set<Socket>()
  let isUp = true
  const server = createServer((near) => {
    if (!isUp) return near.destroy()
    const far = connect(target)
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
    port: (server.address() as AddressInfo).port,
    cut,
    mend: () => {
      isUp = true
    },
    freeze: () => {
      for (const socket of sockets) socket.unpipe().pause()
    },
    close() {
      cut()
      server.close()
    },
  }
}

/** The line between a host and the control plane. */
export async function openLine(url: string) {
  const { port, hostname } = new URL(url)
  const line = await openTcpLine({ port: Number(port), host: hostname })
  return { ...line, url: `https://127.0.0.1:${line.port}` }
}
