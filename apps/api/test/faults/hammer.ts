import { randomUUID } from 'node:crypto'
import { Agent, type IncomingMessage, request } from 'node:http'
import { getUserCredit, newAccount } from '@kelid/contract'
import { common } from '../calls.ts'
import { directAccount } from '../sample-hosts.ts'
import type { Random } from './random.ts'

export interface Hammering {
  /** Names of the accounts that were acknowledged. */
  readonly acknowledged: string[]
  /** Requests on a connection that was taken, or answered with a failure: there must be none. */
  readonly failures: string[]
  answers(): number
  /** Connections that nobody took any more, beside those that were refused. */
  turnedAway(): number
  /** Resolves when every client has been refused a connection. */
  readonly over: Promise<unknown>
}

interface Sent {
  status: number
  body: string
}

function send(url: string, token: string, agent: Agent, path: string, body: object): Promise<Sent> {
  return new Promise((answered, failed) => {
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      'idempotency-key': randomUUID(),
    }
    const sent = request(
      new URL(path, url),
      { method: 'POST', agent, headers },
      (response: IncomingMessage) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () => answered({ status: response.statusCode ?? 0, body: text }))
        response.on('error', failed)
      },
    )
    sent.on('error', (error: NodeJS.ErrnoException) =>
      failed(Object.assign(error, { isFresh: !sent.reusedSocket && sent.socket?.bytesRead === 0 })),
    )
    sent.end(JSON.stringify({ ...common, ...body }))
  })
}

/** Clients that ask on kept connections, with short pauses, until they are refused a new one. */
export function hammer(url: string, token: string, clients: number, { whole, chance }: Random): Hammering {
  const acknowledged: string[] = []
  const failures: string[] = []
  let answers = 0
  let turnedAway = 0
  const tag = randomUUID().slice(0, 8)

  async function client(who: number): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let number = 0; ; number += 1) {
      const accountName = `${tag}_${who}_${number}`
      const isPurchase = chance(0.4)
      const [path, body] = isPurchase
        ? [newAccount.path, { ...directAccount, accountName, accountDuration: 1 }]
        : [getUserCredit.path, {}]
      try {
        const { status, body: text } = await send(url, token, agent, path, body)
        answers += 1
        if (status !== 200) failures.push(`${status} ${text}`)
        else if (isPurchase) acknowledged.push(accountName)
      } catch (error) {
        const { code, message, isFresh } = error as NodeJS.ErrnoException & { isFresh?: boolean }
        if (code === 'ECONNREFUSED') break
        if (isFresh) turnedAway += 1
        else failures.push(`${code} ${message}`)
      }
      await new Promise((resolve) => setTimeout(resolve, whole(0, 30)))
    }
    agent.destroy()
  }
  const over = Promise.all(Array.from({ length: clients }, (_, who) => client(who)))
  return { acknowledged, failures, answers: () => answers, turnedAway: () => turnedAway, over }
}
