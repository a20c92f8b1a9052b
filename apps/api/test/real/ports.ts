import { randomInt } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** Below the ports that the system hands out by itself, so a program that restarts finds its port still free. */
const range = [20_000, 32_000] as const

async function canListen(listener: Server | Socket): Promise<boolean> {
  const isListening = await once(listener, 'listening').then(
    () => true,
    () => false,
  )
  if (isListening) await new Promise<void>((closed) => listener.close(() => closed()))
  return isListening
}

const isFreePort = async (port: number): Promise<boolean> =>
  (await canListen(createServer().listen(port, '127.0.0.1'))) &&
  (await canListen(createSocket('udp4').bind(port, '127.0.0.1')))

/** A port of 127.0.0.1 that is free for TCP and UDP. */
export async function freePort(): Promise<number> {
  const port = randomInt(...range)
  return (await isFreePort(port)) ? port : freePort()
}
