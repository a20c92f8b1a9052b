import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { freePort, isFreePort } from './ports.ts'

test('a port that is in use for TCP or UDP is not free', async () => {
  const port = await freePort()
  for (const listen of [
    () => createServer().listen(port, '127.0.0.1'),
    () => createSocket('udp4').bind(port, '127.0.0.1'),
  ]) {
    const listener = listen()
    await once(listener, 'listening')
    expect(await isFreePort(port)).toBe(false)
    await new Promise<void>((closed) => listener.close(() => closed()))
    expect(await isFreePort(port)).toBe(true)
  }
})
