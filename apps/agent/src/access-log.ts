import { closeSync, fstatSync, ftruncateSync, openSync, readSync, statSync } from 'node:fs'

export interface LogEntry {
  readonly id: string
  readonly address: string
  readonly port: number
  /** The entry follows text that a customer may have written, so it may be forged. */
  readonly isDoubtful?: boolean
}

const stamp = String.raw`\d{4}/\d\d/\d\d \d\d:\d\d:\d\d\.\d{6}`
const from = String.raw`from (?:tcp:|udp:)?(?:\[([0-9a-f:.]+)\]|([0-9.]+)):(\d{1,5})`
/** Matches only a complete entry. The destination is in the same line and is not kept. */
const entry = new RegExp(
  String.raw`^${stamp} ${from} accepted (?:tcp|udp):[0-9A-Za-z._:[\]-]* \[vpn(?:-previous)? (?:->|>>) (?:[a-z]+|speed-\d+-[0-9a-f-]{36})\] email: ([0-9a-f-]{36})$`,
)
/** A tunnel over WebSocket opened a connection; the customer's own entry follows. */
const relayed = new RegExp(
  String.raw`^${stamp} ${from} accepted (?:tcp|udp):[0-9A-Za-z._:[\]-]* \[relay (?:->|>>) [a-z]+\]$`,
)
const refusal = new RegExp(`^${stamp} ${from} rejected  (.*)$`)

export function readLine(text: string): LogEntry | null {
  const [, six, four, port, id] = entry.exec(text) ?? []
  return id ? { id, address: four ?? six ?? '', port: Number(port) } : null
}

const longestName = 2_048

/**
 * The core logs a destination name unescaped, line breaks included: hysteria2 in an entry, trojan in the reason of a
 * refusal. The first line of such text is not a complete entry, and the lines within the length of a name may be
 * forged. Only a `harmlessRefusal` contains no such name.
 */
export function createLineReader(harmlessRefusal: RegExp) {
  let doubtfulBytes = 0
  return (text: string): LogEntry | null => {
    const isDoubtful = doubtfulBytes > 0
    const entryOfLine = readLine(text)
    const isHarmless =
      entryOfLine !== null || relayed.test(text) || harmlessRefusal.test(refusal.exec(text)?.[4] ?? '')
    doubtfulBytes = isHarmless ? Math.max(0, doubtfulBytes - text.length - 1) : longestName
    return entryOfLine && isDoubtful ? { ...entryOfLine, isDoubtful } : entryOfLine
  }
}

const chunkBytes = 65_536
/** A line written between the last read and the truncation is lost, so we truncate rarely or when the log is quiet. */
const emptyFrom = 2_097_152

/**
 * Reads the core's log, a file in memory, to its end and truncates it. The file may be missing or replaced. What is
 * not stored before a truncation, the next agent process reads again.
 */
export function openAccessLog(file: string, harmlessRefusal: RegExp, store = () => {}) {
  const chunk = Buffer.alloc(chunkBytes)
  let fd = -1
  let offset = 0
  let rest = ''
  let next = createLineReader(harmlessRefusal)

  function reopen(): boolean {
    const stats = statSync(file, { throwIfNoEntry: false })
    if (fd >= 0 && stats?.ino === fstatSync(fd).ino) return true
    close()
    if (!stats) return false
    fd = openSync(file, 'r+')
    return true
  }
  function close() {
    if (fd >= 0) closeSync(fd)
    fd = -1
    offset = 0
    rest = ''
    next = createLineReader(harmlessRefusal)
  }
  return {
    /** Synchronous, so that no lines arrive between the last read and the truncation. */
    read(note: (entry: LogEntry) => void): void {
      if (!reopen()) return
      if (fstatSync(fd).size < offset) offset = 0
      const before = offset
      for (;;) {
        const length = readSync(fd, chunk, 0, chunkBytes, offset)
        if (length === 0) break
        offset += length
        const lines = (rest + chunk.toString('latin1', 0, length)).split('\n')
        rest = lines.pop() ?? ''
        for (const text of lines) {
          const logEntry = next(text)
          if (logEntry) note(logEntry)
        }
      }
      const isQuiet = offset > 0 && offset === before
      if (!isQuiet && offset <= emptyFrom) return
      store()
      if (fstatSync(fd).size !== offset) return
      ftruncateSync(fd, 0)
      offset = 0
    },
    close,
  }
}
