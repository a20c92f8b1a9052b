import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getUserCredit } from '@kelid/contract'
import pg from 'pg'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/db/database.ts'
import { isConnectionFailure } from '../../src/db/failures.ts'
import { productForAllTests } from '../product.ts'
import { fair } from './remote.ts'

const product = productForAllTests({ env: { KELID_DATABASE_CONNECTIONS: '2' } })

test('requests wait their turn when all connections are busy for longer than a connection may take to open', async () => {
  const user = await product.person({ points: 7 })
  const busy = [await product.ctx.pool.connect(), await product.ctx.pool.connect()]
  const waiting = Promise.all(Array.from({ length: 20 }, () => user.call(getUserCredit, {})))
  await Promise.all(busy.map((client) => client.query('SELECT pg_sleep(2.5)')))
  for (const client of busy) client.release()
  for (const reply of await waiting) expect(reply.answer().userCredit).toBe(7)
})

test('a database that takes the connection and says nothing is given up after two seconds', async () => {
  const taken = new Set<Socket>()
  const silent = createServer((socket) => void taken.add(socket)).listen(0, '127.0.0.1')
  await new Promise((listening) => silent.once('listening', listening))
  const { port } = silent.address() as { port: number }
  const database = openDatabase({ host: '127.0.0.1', port, user: 'x', database: 'x' }, product.ctx.log)
  database.hasStarted()
  const startedAt = Date.now()
  const error = await database.pool.query('SELECT 1').catch((reason: unknown) => reason)
  expect(isConnectionFailure(error)).toBe(true)
  expect(Date.now() - startedAt).toBeLessThan(fair(4_000))
  await database.close()
  for (const socket of taken) socket.destroy()
  silent.close()
})

test.each([
  ['a Unix socket', true],
  ['any database, until the product has started,', false],
])('%s may answer late, because the machine may be busy', async (_, isSocket) => {
  const folder = await mkdtemp(join(tmpdir(), 'kelid-late-'))
  const { host, port, user, password, database: name } = new pg.Client(product.database.connection)
  const late = createServer((socket) =>
    setTimeout(() => {
      const real = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
      socket.pipe(real).pipe(socket)
    }, 2_500),
  )
  late.listen(isSocket ? join(folder, '.s.PGSQL.5432') : { host: '127.0.0.1', port: 0 })
  await new Promise((listening) => late.once('listening', listening))
  const address = isSocket
    ? { host: folder, port: 5432 }
    : { host: '127.0.0.1', port: (late.address() as AddressInfo).port }
  const database = openDatabase({ ...address, user, password, database: name }, product.ctx.log)
  if (isSocket) database.hasStarted()
  expect((await database.pool.query('SELECT 7 AS seven')).rows).toEqual([{ seven: 7 }])
  await database.close()
  late.close()
  await rm(folder, { recursive: true })
})
