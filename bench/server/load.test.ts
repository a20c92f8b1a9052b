import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { interleaved, type Target } from './load.ts'

const pace = { rounds: 1, warmRequests: 10, seconds: 0.05, connections: 2 }
const right = { response: { status: 1, httpCode: 200, message: 'OK', detailedResponse: [{}] } }

/** Puts load on a server that answers like this. */
async function measure(answer: (reply: ServerResponse, turn: number) => void) {
  let turn = 0
  const server = createServer((_, reply) => answer(reply, turn++)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const target: Target = {
    name: 'the call',
    process: {
      pid: process.pid,
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      cost: async () => ({ cpuMicros: process.cpuUsage().user, residentBytes: 1 }),
      stop: async () => {},
    },
    path: '/call',
    next: () => ({ headers: {}, body: '{}' }),
    isRight: ({ detailedResponse }) => detailedResponse.length === 1,
  }
  try {
    return await interleaved([target], pace)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

test('right answers are counted', async () => {
  const [[slot] = []] = await measure((reply) => reply.end(JSON.stringify(right)))
  expect(slot?.perSecond).toBeGreaterThan(0)
  expect(slot?.p50).toBeGreaterThanOrEqual(0)
  expect(slot?.databaseMicros).toBeNaN()
})

test('a wrong answer is not counted', async () => {
  const empty = { response: { ...right.response, detailedResponse: [] } }
  await expect(measure((reply) => reply.end(JSON.stringify(empty)))).rejects.toThrow('the call answers 200')
})

test('a late refusal is not counted as an answer', async () => {
  const refuseLater = (reply: ServerResponse, turn: number) => {
    reply.statusCode = turn > 20 ? 503 : 200
    reply.end(JSON.stringify(right))
  }
  await expect(measure(refuseLater)).rejects.toThrow('refused (503)')
})

test('a broken connection is not counted as an answer', async () => {
  const breakLater = (reply: ServerResponse, turn: number) =>
    turn > 5 ? reply.destroy() : reply.end(JSON.stringify(right))
  await expect(measure(breakLater)).rejects.toThrow(/errors|answers to/)
})
