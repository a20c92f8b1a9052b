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
  let hurry = new AbortController()
  const fresh: Listed[] = []

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
      fresh.push(account)
      onNews(account)
    }
    if (news.length > 0) hurry.abort()
  }
  /** What was applied, at once and while the next question is asked; and everything when it is time. */
  async function tell(isTime: boolean): Promise<void> {
    bytes += isTime ? 1_000 : 0
    for (const some of inParts(fresh.splice(0))) await say(some, [])
    for (const some of inParts(isTime ? [...accounts.keys()] : [])) await say([], some)
  }
  async function keepTelling(delay: number): Promise<void> {
    const { signal } = stopping
    for (let due = Date.now() + delay; !signal.aborted; ) {
      hurry = new AbortController()
      const until = AbortSignal.any([signal, hurry.signal])
      if (fresh.length === 0) await sleep(due - Date.now(), undefined, { signal: until }).catch(() => {})
      const isTime = Date.now() >= due
      if (isTime) due = Date.now() + reportEvery
      if (!signal.aborted) await tell(isTime)
    }
  }
  async function keepHearing(): Promise<void> {
    while (!stopping.signal.aborted) await hear()
  }
  const unlessStopped = (work: Promise<void>) => {
    const { signal } = stopping
    return work.catch((error: Error) => {
      if (!signal.aborted) throw error
    })
  }
  return {
    /** Its first list, and that it has applied it. */
    async begin() {
      await hear()
      await tell(false)
    },
    /** With its reports beginning so many milliseconds from now: hosts are not in step. */
    start(delay: number) {
      stopping = new AbortController()
      working = Promise.all([unlessStopped(keepHearing()), unlessStopped(keepTelling(delay))])
      working.catch(() => {})
    },
    async stop() {
      stopping.abort()
      await working
    },
    /** How many accounts its list has. */
    accounts: () => accounts.size,
    close: () => agent.destroy(),
  }
}
