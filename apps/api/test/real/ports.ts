import { randomInt } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** Below those that the system gives to whoever asks for any: a program that is started again finds its own still free. */
const range = [20_000, 32_000] as const

async function canBe(listener: Server | Socket): Promise<boolean> {
  const isFree = await Promise.race([
    once(listener, 'listening').then(() => true),
    once(listener, 'error').then(() => false),
  ])
  if (isFree) await new Promise<void>((closed) => listener.close(() => closed()))
  return isFree
}

/** One that nobody has, for TCP or UDP alike. */
export async function freePort(): Promise<number> {
  const port = randomInt(...range)
  const isFree =
    (await canBe(createServer().listen(port, '127.0.0.1'))) &&
    (await canBe(createSocket('udp4').bind(port, '127.0.0.1')))
  return isFree ? port : freePort()
}
