import { endMark } from './format.ts'
import { damagedBackup } from './refusal.ts'

const newline = 10
const end = Buffer.from(endMark)
const endAfterLine = Buffer.from(`\n${endMark}`)
const longestLine = 64 * 1024 * 1024

export interface Lines {
  line(): Promise<string | null>
  block(): AsyncGenerator<Buffer>
}

export function linesOf(chunks: AsyncIterable<Buffer>): Lines {
  const source = chunks[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)

  async function hasMore(): Promise<boolean> {
    const next = await source.next()
    if (next.done) return false
    rest = rest.length === 0 ? next.value : Buffer.concat([rest, next.value])
    if (rest.length > longestLine) throw damagedBackup('a line of it has no end')
    return true
  }

  function takeBytes(length: number): Buffer {
    const bytes = rest.subarray(0, length)
    rest = rest.subarray(length)
    return bytes
  }

  return {
    async line() {
      for (;;) {
        const at = rest.indexOf(newline)
        if (at >= 0) return takeBytes(at + 1).toString('utf8', 0, at)
        if (await hasMore()) continue
        if (rest.length > 0) throw damagedBackup('it ends in the middle of a line')
        return null
      }
    },
    async *block() {
      for (;;) {
        if (rest.subarray(0, end.length).equals(end)) {
          takeBytes(end.length)
          return
        }
        const at = rest.indexOf(endAfterLine)
        const whole = (at >= 0 ? at : rest.lastIndexOf(newline)) + 1
        if (whole > 0) yield takeBytes(whole)
        else if (!(await hasMore())) throw damagedBackup('it ends in the middle of a table')
      }
    },
  }
}
