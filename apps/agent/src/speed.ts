import { readFile, rm } from 'node:fs/promises'
import type { ServerCore } from './core.ts'
import { type AccountRules, customerInbounds, lastRule, ruleTagsOf } from './core-rules.ts'
import { tryAll } from './in-parallel.ts'
import type { Account } from './reconcile.ts'
import { replaceFile } from './replace-file.ts'
import type { Sample } from './sample.ts'
import type { SpeedTable } from './speed-table.ts'

const marks = 65_536
/** Passes, one per second, until core and table are looked at again: the core may have restarted, the table be gone. */
const compareEvery = 10
/** Bytes without a mark that are no doubt, because connections that were there before the limit have none. */
const unmarkedMax = 2 ** 20
const newFor = 60_000

const tagOf = (number: number, id: string) => `speed-${number}-${id}`
const ofTag = /^speed-(\d+)-([0-9a-f-]{36})$/

interface Surroundings {
  readonly core: Pick<ServerCore, 'outboundTags' | 'addMarkedOutbound' | 'removeOutbound'>
  readonly table: SpeedTable
  readonly firstMark: number
  readonly writeFile: (outbounds: ReadonlyMap<string, number>) => Promise<unknown>
  readonly say: (line: string) => void
  readonly now?: () => number
}

/**
 * Limits of speed. A limited account has an outbound of its own in the core, whose sockets have a mark by which the kernel
 * limits them. The number of the mark is in the outbound's tag, so it outlasts the agent.
 */
export function createSpeeds({
  core,
  table,
  firstMark,
  writeFile,
  say,
  now = () => performance.now(),
}: Surroundings) {
  let numbers = new Map<string, number>()
  /** In the core, but no longer of a limited account. */
  let ended: string[] = []
  let passes = 0
  let last = 0
  let limited: ReadonlyMap<string, number> = new Map()
  let isKnown = false
  let written = ''
  const proof = createProof(say, now)

  /** A number is used again as late as possible: connections of its last account may still be there. */
  function nextNumber(used: ReadonlySet<number>): number {
    do last = (last % (marks - 1)) + 1
    while (used.has(last))
    return last
  }

  async function readCore(): Promise<void> {
    const before = numbers
    numbers = new Map()
    ended = []
    for (const tag of await core.outboundTags()) {
      const [, number, id = ''] = ofTag.exec(tag) ?? []
      if (number === undefined) continue
      last = Math.max(last, Number(number))
      if (numbers.has(id) || !limited.has(id)) ended.push(tag)
      else numbers.set(id, Number(number))
    }
    // In a core that has restarted each account gets the number that it had.
    const used = new Set(numbers.values())
    for (const [id, number] of before)
      if (limited.has(id) && !numbers.has(id) && !used.has(number)) await addOutbound(id, number)
    isKnown = true
  }

  async function addOutbound(id: string, number: number): Promise<void> {
    await core.addMarkedOutbound(tagOf(number, id), firstMark + number)
    numbers.set(id, number)
  }

  return {
    /** First of all the kernel and the core's outbounds. Rules may lead to these outbounds from then on. */
    async prepare(accounts: readonly Account[]): Promise<void> {
      limited = new Map(
        accounts.flatMap(({ id, speedLimit }) => (speedLimit ? [[id, speedLimit] as const] : [])),
      )
      const isDue = passes++ % compareEvery === 0
      if (isDue || !isKnown) {
        await readCore()
        if (limited.size > 0) proof.look(await table.marked(), limited.keys())
      }
      for (const [id, number] of numbers)
        if (!limited.has(id)) {
          ended.push(tagOf(number, id))
          numbers.delete(id)
        }
      const used = new Set(numbers.values())
      const begun = [...limited.keys()].filter((id) => !numbers.has(id))
      const failure = await tryAll(
        begun.map((id) => [id, nextNumber(used)] as const),
        ([id, number]) => addOutbound(id, number),
      )
      await table.set(
        new Map([...numbers].map(([id, number]) => [firstMark + number, limited.get(id) ?? 0] as const)),
      )
      if (failure) throw failure
    },
    outbounds: (): ReadonlyMap<string, string> =>
      new Map([...numbers].map(([id, number]) => [id, tagOf(number, id)])),
    /** When no rule leads to an ended outbound any more. */
    async settle(): Promise<void> {
      const tags = ended
      ended = []
      const failure = await tryAll(tags, (tag) => core.removeOutbound(tag))
      const text = JSON.stringify([...numbers])
      // A run of the playbook removes the file if it changes the routing.
      if (text !== written || passes % compareEvery === 1) await writeFile(numbers)
      written = text
      if (failure) throw failure
    },
    /** The core may have restarted. */
    forget(): void {
      isKnown = false
    },
    note: proof.note,
  }
}
export type Speeds = ReturnType<typeof createSpeeds>

/**
 * A core without the right to set marks works as if there were no limits. So marks have to be seen while limited accounts
 * move bytes.
 */
function createProof(say: (line: string) => void, now: () => number) {
  let boot = ''
  let isProven = false
  let markedBefore: number | null = null
  let since = new Map<string, number>()
  let bytesBefore = new Map<string, number>()
  let unmarked = 0
  return {
    note({ boot: present, usage }: Sample): void {
      if (present !== boot) {
        boot = present
        isProven = false
        markedBefore = null
        unmarked = 0
        bytesBefore = new Map()
      }
      if (isProven) return
      const bytes = new Map<string, number>()
      for (const [id, began] of since) {
        const { up, down } = usage.get(id) ?? { up: 0, down: 0 }
        bytes.set(id, up + down)
        if (now() - began > newFor) unmarked += up + down - (bytesBefore.get(id) ?? up + down)
      }
      bytesBefore = bytes
    },
    look(marked: number | null, limited: Iterable<string>): void {
      since = new Map([...limited].map((id) => [id, since.get(id) ?? now()]))
      if (marked !== null && markedBefore !== null && marked > markedBefore) isProven = true
      markedBefore = marked
      if (!isProven && unmarked > unmarkedMax)
        say(
          'cannot limit the speed of accounts: the core sets no marks. Provision the host again; its kernel must be 5.17 or newer',
        )
    },
  }
}

interface Routing {
  readonly rules: readonly { readonly ruleTag?: string }[]
}

/** What a core that restarts reads beside its own configuration, whose routing it replaces. */
export function speedConfig(
  routing: Routing,
  firstMark: number,
  numbers: ReadonlyMap<string, number>,
): string {
  const others = routing.rules.filter(({ ruleTag }) => ruleTag !== lastRule)
  const outbounds = [...numbers].map(([id, number]) => ({
    tag: tagOf(number, id),
    protocol: 'freedom',
    streamSettings: { sockopt: { mark: firstMark + number } },
  }))
  const rules = [...numbers].map(([id, number]) => {
    const account: AccountRules = { id, refused: [], outbound: tagOf(number, id) }
    return {
      ruleTag: ruleTagsOf(account)[0],
      inboundTag: customerInbounds,
      user: [id],
      outboundTag: account.outbound,
    }
  })
  const customers = routing.rules.filter(({ ruleTag }) => ruleTag === lastRule)
  return JSON.stringify({ outbounds, routing: { ...routing, rules: [...others, ...rules, ...customers] } })
}

/** Without the routing, which earlier playbooks do not write, a restarted core waits for the agent. */
export function keepSpeedFile(file: string, routingFile: string, firstMark: number) {
  return async (numbers: ReadonlyMap<string, number>): Promise<void> => {
    const routing = numbers.size > 0 && (await readFile(routingFile, 'utf8').catch(() => ''))
    if (!routing) return rm(file, { force: true })
    const config = speedConfig(JSON.parse(routing), firstMark, numbers)
    if (config !== (await readFile(file, 'utf8').catch(() => ''))) await replaceFile(file, config, 0o640)
  }
}
