import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { movement, nodeLimits } from '@kelid/contract'
import type { Report } from './compose.ts'
import { reasonOf } from './retry.ts'

const run = promisify(execFile)
const { sliceSeconds, slices } = movement
/** Less in a slice is a sign of life, but no use. */
const bytesMin = 500
/** A late slice would contain what several have. */
const lateAfter = 2 * sliceSeconds * 1_000

export type Minute = NonNullable<Report['moved']>

interface Listing {
  readonly nftables: readonly {
    readonly set?: { readonly name: string; readonly elem?: readonly Element[] }
  }[]
}
interface Element {
  readonly elem: { readonly val: string; readonly counter: { readonly bytes: number } }
}

/** Bytes that addresses sent to the public port; the kernel forgets an address that was silent for ten seconds. */
export const readMoved = (table: string) => async (): Promise<Map<string, number>> => {
  const options = { timeout: 5_000, maxBuffer: 16 * 1024 * 1024 }
  const { stdout } = await run('/usr/sbin/nft', ['-j', 'list', 'table', 'inet', table], options)
  const { nftables } = JSON.parse(stdout) as Listing
  const elements = nftables.flatMap(({ set }) =>
    set && /^moved[46]$/.test(set.name) ? (set.elem ?? []) : [],
  )
  return new Map(elements.map(({ elem }) => [elem.val, elem.counter.bytes]))
}

const countOf = (bits: number): number => bits.toString(2).replaceAll('0', '').length

/** Notes in which slices of each minute addresses moved bytes. */
export function watchMovement(
  read: () => Promise<Map<string, number>>,
  say: (line: string) => void,
  clock: () => number = () => performance.now(),
) {
  let before: Map<string, number> | null = null
  let readAt = 0
  let slice = 0
  let moved = new Map<string, number>()
  let finished: Minute | null = null
  let isFailing = false
  const startOver = (bytes: Map<string, number> | null) => {
    before = bytes
    slice = 0
    moved = new Map()
  }

  function note(bytes: Map<string, number>, last: Map<string, number>): void {
    for (const [address, count] of bytes) {
      const lastCount = last.get(address) ?? 0
      if (count - (count < lastCount ? 0 : lastCount) >= bytesMin)
        moved.set(address, (moved.get(address) ?? 0) | (1 << slice))
    }
    before = bytes
    slice += 1
    if (slice < slices) return
    // An app may divide its connections among several hosts, so each host sees only some of a device's slices.
    const byUse = [...moved].sort(([, one], [, other]) => countOf(other) - countOf(one))
    finished = {
      untilDate: new Date().toISOString(),
      addresses: byUse.slice(0, nodeLimits.moved).map(([address, own]) => ({ address, slices: own })),
    }
    startOver(bytes)
  }

  return {
    /** Returns whether a minute has ended. */
    async look(): Promise<boolean> {
      const age = clock() - readAt
      // Passes are a second apart, more or less.
      if (age < sliceSeconds * 1_000 - 500) return false
      readAt = clock()
      try {
        const bytes = await read()
        if (before === null || age > lateAfter) startOver(bytes)
        else note(bytes, before)
        isFailing = false
      } catch (error) {
        startOver(null)
        if (!isFailing) say(`cannot read who moves bytes: ${reasonOf(error)}`)
        isFailing = true
      }
      return slice === 0 && finished !== null
    },
    finished: () => finished,
    markReported(minute: Minute): void {
      if (finished === minute) finished = null
    },
  }
}
export type Movement = ReturnType<typeof watchMovement>
