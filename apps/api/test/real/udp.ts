import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

async function read(socket: Socket): Promise<Buffer> {
  const [data] = await once(socket, 'data')
  return data
}

/** One association of SOCKS at somebody's app, for packets to many places. */
export async function openUdp({ host, port, from }: { host: string; port: number; from: string }) {
  const control = connect(port, host)
  await once(control, 'connect')
  control.write(Buffer.from([5, 1, 0]))
  await read(control)
  control.write(Buffer.from([5, 3, 0, 1, 0, 0, 0, 0, 0, 0]))
  const bound = (await read(control)).readUInt16BE(8)
  const socket = createSocket('udp4')
  socket.bind(0, from)
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
        socket.send(Buffer.concat([header, Buffer.from('?')]), bound, host)
      }),
    close: () => {
      socket.close()
      control.destroy()
    },
  }
}

/** A port of this machine that sends back what it gets. */
export async function openEcho() {
  const socket = createSocket('udp4', (packet, from) => socket.send(packet, from.port, from.address))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { port: socket.address().port, close: () => socket.close() }
}
