import { Agent, request } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, type Call, desired, nodeLimits, report } from '@kelid/contract'
import type { Identity } from './identities.ts'

/** As the real one does. */
const reportEvery = 10_000

const inParts = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / nodeLimits.accounts) }, (_, part) =>
    all.slice(part * nodeLimits.accounts, (part + 1) * nodeLimits.accounts),
  )

export type Listed = NonNullable<Answer<typeof desired>['accounts']>[number]

/** One call as the agent of a host makes it: over TLS, by its certificate. What it is told is not checked again here. */
export const askAs = <C extends Call<'node'>>(
  agent: Agent,
  url: string,
  { path }: C,
  body: object,
  signal?: AbortSignal,
): Promise<Answer<C>> =>
  new Promise((resolve, reject) => {
    const text = JSON.stringify({ client: 'agent', clientVersion: '1.0.0', ...body })
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
    const outgoing = request(new URL(path, url), { agent, method: 'POST', headers, signal })
    outgoing.on('error', reject)
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('error', reject)
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () => {
        const answer = Buffer.concat(chunks).toString()
        if (incoming.statusCode !== 200) return reject(new Error(`${path}: ${answer}`))
        resolve(JSON.parse(answer).response.detailedResponse[0])
      })
    })
    outgoing.end(text)
  })

export const tlsAgent = ({ ca, certificate, key }: Identity): Agent =>
  new Agent({ ca, cert: certificate, key, keepAlive: true, maxSockets: 2 })

/**
 * Everything that the agent of a host says and hears, without a core behind it: it holds its question open, reports what
 * changed at once, and every ten seconds that all of its accounts have used something and are online.
 */
export function simulateAgent(identity: Identity, url: string, onNews: (account: Listed) => void) {
  const agent = tlsAgent(identity)
  const accounts = new Map<string, Listed>()
  let held = { epoch: '', number: 0, digest: '' }
  let bytes = 0
  let working: Promise<unknown> = Promise.resolve()
  let stopping = new AbortController()

  const say = (applied: readonly Listed[], all: readonly string[]) => {
    const now = new Date().toISOString()
    return askAs(
      agent,
      url,
      report,
      {
        ...held,
        core: { version: '26.3.27', bootId: 'boot-1', upSince: now },
        applied: applied.map(({ id, revision }) => ({ id, revision })),
        usage: all.map((id) => ({ id, up: bytes, down: 10 * bytes })),
        online: all.map((id, index) => ({
          id,
          devices: [{ address: `198.18.${index >> 8}.${index & 255}`, seenAt: now }],
        })),
        ...{ gone: [], refusedList: '', connections: all.length, load: 0.5, now },
      },
      stopping.signal,
    )
  }
  async function hear(): Promise<void> {
    const { accounts: listed, ...list } = await askAs(
      agent,
      url,
      desired,
      { epoch: held.epoch, digest: held.digest },
      stopping.signal,
    )
    held = { epoch: list.epoch, number: list.number, digest: list.digest }
    const news = (listed ?? []).filter(({ id, revision }) => accounts.get(id)?.revision !== revision)
    for (const account of news) {
      accounts.set(account.id, account)
      onNews(account)
    }
    for (const some of inParts(news)) await say(some, [])
  }
  async function tell(): Promise<void> {
    bytes += 1_000
    for (const some of inParts([...accounts.keys()])) await say([], some)
  }
  async function keep(work: () => Promise<unknown>, pause: number, delay: number): Promise<void> {
    const { signal } = stopping
    try {
      await sleep(delay, undefined, { signal })
      for (;;) {
        await work()
        if (pause > 0) await sleep(pause, undefined, { signal })
      }
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }
  return {
    /** Its first list, and that it has applied it. */
    begin: hear,
    /** With its reports beginning so many milliseconds from now: hosts are not in step. */
    start(delay: number) {
      stopping = new AbortController()
      working = Promise.all([keep(hear, 0, 0), keep(tell, reportEvery, delay)])
      working.catch(() => {})
    },
    async stop() {
      stopping.abort()
      await working
    },
    close: () => agent.destroy(),
  }
}
