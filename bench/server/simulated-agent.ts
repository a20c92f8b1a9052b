import { Agent, request } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, type Call, desired, movement, nodeLimits, report } from '@kelid/contract'
import type { Identity } from './identities.ts'

/** Like the real agent. */
const reportEvery = 10_000
const reportsPerMinute = 6
const allSlices = 2 ** movement.slices - 1

const inParts = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / nodeLimits.accounts) }, (_, part) =>
    all.slice(part * nodeLimits.accounts, (part + 1) * nodeLimits.accounts),
  )

export type Listed = NonNullable<Answer<typeof desired>['accounts']>[number]

/** Each account has one device, which uses all its ways. */
const addressOf = (id: string) =>
  `10.${[0, 2, 4].map((at) => Number.parseInt(id.slice(at, at + 2), 16)).join('.')}`

/** Makes a call like an agent: over TLS, with its certificate. The answer is not validated. */
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
 * An agent without a core: it keeps a request for its list open, reports changes at once, and reports every ten seconds
 * that all accounts are online and have used something, and every minute that all have moved bytes.
 */
export function simulateAgent(identity: Identity, url: string, onNews: (account: Listed) => void) {
  const agent = tlsAgent(identity)
  const accounts = new Map<string, Listed>()
  let list = { epoch: '', number: 0, digest: '' }
  let bytes = 0
  let reports = 0
  let working: Promise<unknown> = Promise.resolve()
  let stopping = new AbortController()
  let hurry = new AbortController()
  const fresh: Listed[] = []

  const send = (applied: readonly Listed[], all: readonly string[], isMinute = false) => {
    const now = new Date().toISOString()
    return askAs(
      agent,
      url,
      report,
      {
        ...list,
        core: { version: '26.3.27', bootId: 'boot-1', upSince: now },
        applied: applied.map(({ id, revision }) => ({ id, revision })),
        usage: all.map((id) => ({ id, up: bytes, down: 10 * bytes })),
        online: all.map((id) => ({ id, devices: [{ address: addressOf(id), seenAt: now }] })),
        ...(isMinute && {
          moved: {
            untilDate: now,
            addresses: [...accounts.keys()].map((id) => ({ address: addressOf(id), slices: allSlices })),
          },
        }),
        ...{ gone: [], refusedList: '', connections: all.length, load: 0.5, now },
      },
      stopping.signal,
    )
  }
  async function receive(): Promise<void> {
    const { accounts: listed, ...newList } = await askAs(
      agent,
      url,
      desired,
      { epoch: list.epoch, digest: list.digest },
      stopping.signal,
    )
    list = { epoch: newList.epoch, number: newList.number, digest: newList.digest }
    const news = (listed ?? []).filter(({ id, revision }) => accounts.get(id)?.revision !== revision)
    for (const account of news) {
      accounts.set(account.id, account)
      fresh.push(account)
      onNews(account)
    }
    if (news.length > 0) hurry.abort()
  }
  /** Reports applied changes at once, and all accounts when the report is due. */
  async function sendReports(isDue: boolean): Promise<void> {
    bytes += isDue ? 1_000 : 0
    for (const some of inParts(fresh.splice(0))) await send(some, [])
    if (!isDue) return
    reports += 1
    for (const [part, some] of inParts([...accounts.keys()]).entries())
      await send([], some, part === 0 && reports % reportsPerMinute === 0)
  }
  async function keepReporting(delay: number): Promise<void> {
    const { signal } = stopping
    for (let due = Date.now() + delay; !signal.aborted; ) {
      hurry = new AbortController()
      const until = AbortSignal.any([signal, hurry.signal])
      if (fresh.length === 0)
        await sleep(Math.max(0, due - Date.now()), undefined, { signal: until }).catch(() => {})
      const isDue = Date.now() >= due
      if (isDue) due = Date.now() + reportEvery
      if (!signal.aborted) await sendReports(isDue)
    }
  }
  async function keepReceiving(): Promise<void> {
    while (!stopping.signal.aborted) await receive()
  }
  const unlessStopped = (work: Promise<void>) => {
    const { signal } = stopping
    return work.catch((error: Error) => {
      if (!signal.aborted) throw error
    })
  }
  return {
    /** Receives the first list and reports it as applied. */
    async begin() {
      await receive()
      await sendReports(false)
    },
    /** The first report comes after the delay, so that agents do not report at once. */
    start(delay: number) {
      stopping = new AbortController()
      working = Promise.all([unlessStopped(keepReceiving()), unlessStopped(keepReporting(delay))])
      working.catch(() => {})
    },
    async stop() {
      stopping.abort()
      await working
    },
    accountCount: () => accounts.size,
    close: () => agent.destroy(),
  }
}
