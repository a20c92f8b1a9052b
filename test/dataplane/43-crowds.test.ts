import { once } from 'node:events'
import type { TLSSocket } from 'node:tls'
import { expect, test } from 'vitest'
import { seconds } from './commands.ts'
import { openMany } from './door.ts'
import { ready, server } from './stage.ts'

/** Whether the server answers, so that both directions of the connection work. */
async function answers(socket: TLSSocket): Promise<boolean> {
  socket.write('HEAD / HTTP/1.1\r\nHost: any.example\r\nConnection: close\r\n\r\n')
  let answer = ''
  socket.on('data', (data) => (answer += data))
  await once(socket, 'close')
  return answer.startsWith('HTTP/1.1 200')
}

test.each([600, 1_500])('an SSH tunnel carries %i connections at the same time', async (count) => {
  const { hosts } = await ready()
  const since = performance.now()
  const opened = await openMany(hosts.tunnelSsh, server.ssh, count)
  console.log(`${opened.length} of ${count} connections opened in ${seconds(since)}`)
  const served = (await Promise.all(opened.map(answers))).filter(Boolean).length
  for (const socket of opened) socket.destroy()
  expect([opened.length, served]).toEqual([count, count])
})
