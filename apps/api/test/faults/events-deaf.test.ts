import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net'
import { join } from 'node:path'
import { adjustUserCredit } from '@kelid/contract'
import pg from 'pg'
import { expect, test } from 'vitest'
import { openHub } from '../../src/features/events/hub.ts'
import { productForAllTests } from '../product.ts'
import { until } from './remote.ts'

const product = productForAllTests()

/** A way to the database that can stop carrying anything without telling either end. */
async function unreliableWay(config: pg.ClientConfig) {
  const { host, port, user, password, database } = new pg.Client(config)
  const goal = host.startsWith('/') ? { path: join(host, `.s.PGSQL.${port}`) } : { host, port }
  const ends: Socket[] = []
  const way = createServer((near) => {
    const far = dial(goal)
    for (const socket of [near, far]) socket.on('error', () => {})
    near.pipe(far)
    far.pipe(near)
    ends.push(near, far)
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => way.once('listening', listening))
  const { port: entrance } = way.address() as AddressInfo
  return {
    connection: { host: '127.0.0.1', port: entrance, user, password, database },
    freeze: () => {
      for (const socket of ends) socket.unpipe().pause()
    },
    close: () => {
      for (const socket of ends) socket.destroy()
      way.close()
    },
  }
}

test('events still come when the connection that listens has gone deaf without a sign', async () => {
  const way = await unreliableWay(product.database.connection)
  const hub = await openHub(product.ctx, way.connection)
  const user = await product.person()
  const seen: string[] = []
  const leave = await hub.join(
    { userId: user.id, isAdmin: false, isGone: () => false, deliver: ({ type }) => void seen.push(type) },
    undefined,
  )
  const adjust = () =>
    product.admin.call(adjustUserCredit, { userEmail: user.email, amount: 1, reason: 'a sign' })
  await adjust()
  await until(() => seen.length === 2, 'the first event')
  way.freeze()
  await adjust()
  await until(() => seen.length === 3, 'the event after it went deaf')
  expect(seen).toEqual(['ready', 'balance', 'balance'])
  leave()
  way.close()
  await hub.close()
})
