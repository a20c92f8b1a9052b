import { closeSync, fstatSync, ftruncateSync, openSync, readSync, statSync } from 'node:fs'

export interface Seen {
  readonly id: string
  readonly address: string
  readonly port: number
}

/** Who came from where. What they asked for stands in the same line and is not looked at. */
const line =
  /^\S+ \S+ from (?:tcp:|udp:)?(?:\[([0-9a-f:.]+)\]|([0-9.]+)):(\d{1,5}) accepted .* email: ([0-9a-f-]{36})$/

export function readLine(text: string): Seen | null {
  const [, six, four, port, id] = line.exec(text) ?? []
  return id ? { id, address: four ?? six ?? '', port: Number(port) } : null
}

const chunkBytes = 65_536
/** A line that is written between the last look and the emptying is lost, so it is done seldom, or when nobody writes. */
const emptyFrom = 262_144

/** The core's own file, in memory: read to its end and emptied. There may be none yet, or another one than before. */
export function openAccessLog(file: string) {
  const chunk = Buffer.alloc(chunkBytes)
  let fd = -1
  let offset = 0
  let rest = ''

  function reopen(): boolean {
    const found = statSync(file, { throwIfNoEntry: false })
    if (fd >= 0 && found?.ino === fstatSync(fd).ino) return true
    close()
    if (!found) return false
    fd = openSync(file, 'r+')
    return true
  }
  function close() {
    if (fd >= 0) closeSync(fd)
    fd = -1
    offset = 0
    rest = ''
  }
  return {
    /** At once and in one go: whatever waited in between would let lines come in. */
    read(): Seen[] {
      if (!reopen()) return []
      const seen: Seen[] = []
      if (fstatSync(fd).size < offset) offset = 0
      const before = offset
      for (;;) {
        const length = readSync(fd, chunk, 0, chunkBytes, offset)
        if (length === 0) break
        offset += length
        const lines = (rest + chunk.toString('latin1', 0, length)).split('\n')
        rest = lines.pop() ?? ''
        for (const text of lines) {
          const found = readLine(text)
          if (found) seen.push(found)
        }
      }
      const isQuiet = offset > 0 && offset === before
      if ((isQuiet || offset > emptyFrom) && fstatSync(fd).size === offset) {
        ftruncateSync(fd, 0)
        offset = 0
      }
      return seen
    },
    close,
  }
}
