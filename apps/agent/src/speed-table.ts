import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Mbit/s by mark. */
export type Speeds = ReadonlyMap<number, number>

const bytesPerMbit = 125_000
const burstMin = 131_072
/** Of the full speed: senders at a distance send in bursts. */
const burstSeconds = 0.05

const nft = '/usr/sbin/nft'
const options = { timeout: 30_000 }

async function load(script: string): Promise<void> {
  const loading = run(nft, ['--file', '-'], options)
  loading.child.stdin?.end(script)
  await loading
}

const rateOf = (speed: number) => {
  const rate = speed * bytesPerMbit
  const burst = Math.max(burstMin, Math.round(rate * burstSeconds))
  return `{ rate over ${rate} bytes/second burst ${burst} bytes; }`
}

const ways = ['down', 'up'] as const

const remove = (table: string, mark: number): string[] =>
  ways.flatMap((way) => [
    `delete element inet ${table} ${way} { ${mark} }`,
    `delete limit inet ${table} ${way}${mark}`,
  ])

const add = (table: string, [mark, speed]: readonly [number, number]): string[] =>
  ways.flatMap((way) => [
    `add limit inet ${table} ${way}${mark} ${rateOf(speed)}`,
    `add element inet ${table} ${way} { ${mark} : "${way}${mark}" }`,
  ])

/** Packets that the core marked are counted: it may lack the right to do so, and says nothing then. */
function wholeTable(table: string, firstMark: number, speeds: Speeds): string {
  const isOurs = `and 0xffff0000 == ${firstMark}`
  return `add table inet ${table}
delete table inet ${table}
table inet ${table} {
  map down { type mark : limit; }
  map up { type mark : limit; }
  chain marks {
    type filter hook output priority filter - 20; policy accept;
    meta mark ${isOurs} counter ct mark set meta mark
    ct direction original ct mark ${isOurs} limit name ct mark map @up drop
  }
  chain answers {
    type filter hook input priority filter - 20; policy accept;
    ct direction reply ct mark ${isOurs} limit name ct mark map @down drop
  }
}
${[...speeds].flatMap((speed) => add(table, speed)).join('\n')}
`
}

/** The kernel's table with the limits. It is there as long as an account of the host is limited. */
export function openSpeedTable(table: string, firstMark: number) {
  /** null: unknown, as after the agent's start. */
  let applied: Speeds | null = null
  const isMissing = (error: Error) => /No such file or directory/.test(error.message)

  return {
    /** A change takes effect at once, also for connections that are open. */
    async set(speeds: Speeds): Promise<void> {
      if (speeds.size === 0) {
        if (applied?.size !== 0) await load(`add table inet ${table}\ndelete table inet ${table}\n`)
      } else if (applied === null || applied.size === 0) await load(wholeTable(table, firstMark, speeds))
      else {
        const before = applied
        const ended = [...before].filter(([mark, speed]) => speeds.get(mark) !== speed)
        const begun = [...speeds].filter(([mark, speed]) => before.get(mark) !== speed)
        if (ended.length + begun.length === 0) return
        const script = [
          ...ended.flatMap(([mark]) => remove(table, mark)),
          ...begun.flatMap((one) => add(table, one)),
        ]
        // Whatever is missing there, the whole table is loaded in the next pass.
        applied = null
        await load(`${script.join('\n')}\n`)
      }
      applied = new Map(speeds)
    },
    /** How many packets the core has marked; null if somebody removed the table, which `set` then makes again. */
    async marked(): Promise<number | null> {
      const text = await run(nft, ['--json', 'list', 'chain', 'inet', table, 'marks'], options).then(
        ({ stdout }) => stdout,
        (error: Error) => {
          if (isMissing(error)) return '{"nftables":[]}'
          throw error
        },
      )
      const { nftables } = JSON.parse(text) as {
        nftables: { rule?: { expr: { counter?: { packets: number } }[] } }[]
      }
      const counters = nftables.flatMap(
        ({ rule }) => rule?.expr.flatMap(({ counter }) => counter ?? []) ?? [],
      )
      if (counters[0] === undefined) applied = null
      return counters[0]?.packets ?? null
    },
  }
}
export type SpeedTable = ReturnType<typeof openSpeedTable>
