import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { TLSSocket } from 'node:tls'
import { expect, test } from 'vitest'
import { seconds } from './commands.ts'
import { addAccount } from './core-api.ts'
import { openMany } from './door.ts'
import { longLine, lossyLine, openLine, reconnect } from './line.ts'
import { address } from './network.ts'
import { rateOf } from './rate.ts'
import { customerAt, ready, server } from './stage.ts'

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

test('an SSH tunnel keeps most of its speed where every hundredth packet is lost', async () => {
  const { hosts } = await ready()
  const secret = randomUUID()
  await addAccount(hosts.exitSsh, 'trojan', secret, secret)
  const customer = await customerAt(hosts.tunnelSsh, server.ssh, secret)
  const rateOver = async (line: typeof lossyLine) => {
    const open = await openLine(hosts.tunnelSsh, hosts.exitSsh, line)
    await reconnect(hosts.tunnelSsh)
    const rate = await rateOf(20, 10, (...args) =>
      customer.fetch(`http://${address.world}:8080/flood`, ...args),
    )
    await open.close()
    return rate
  }
  const [long, lossy] = [await rateOver(longLine), await rateOver(lossyLine)]
  customer.close()
  console.table({ long, lossy })
  expect([long['without a byte'], lossy['without a byte']]).toEqual([0, 0])
  // With cubic it keeps about a fiftieth.
  expect(lossy['Mbit/s'] / long['Mbit/s']).toBeGreaterThan(0.25)
})
