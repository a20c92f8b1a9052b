import { StringDecoder } from 'node:string_decoder'
import { setTimeout } from 'node:timers/promises'

/** So much is kept in memory before the program has to wait. */
const batchSize = 65_536
const pause = 200

export interface LogPump {
  /** Resolves when there is room for more. */
  add(chunk: Buffer): Promise<void>
  end(): Promise<void>
}

/**
 * Hands whole lines on, several at a time, because each hand-over costs. A program that writes faster than that waits, and
 * once `write` says that the log is full the rest is dropped. Of a line without an end only the beginning is kept.
 */
export function createLogPump(
  write: (text: string) => Promise<{ isFull: boolean }>,
  onError: (error: unknown) => void,
): LogPump {
  const decoder = new StringDecoder('utf8')
  let text = ''
  let isFull = false
  let isCutting = false
  let writing: Promise<void> = Promise.resolve()
  let isWriting = false

  const flush = (upTo: number): Promise<void> => {
    const part = text.slice(0, upTo)
    text = text.slice(upTo)
    if (part === '') return writing
    isWriting = true
    writing = write(part)
      .then((outcome) => {
        isFull = outcome.isFull
      }, onError)
      .finally(() => {
        isWriting = false
      })
    return writing
  }
  const flushLines = () => flush(text.lastIndexOf('\n') + 1)
  const timer = setInterval(() => {
    if (!isWriting) void flushLines()
  }, pause)

  return {
    async add(chunk) {
      if (isFull) {
        text = ''
        return
      }
      let more = decoder.write(chunk)
      if (isCutting) {
        const end = more.indexOf('\n')
        if (end < 0) return
        more = more.slice(end)
        isCutting = false
      }
      text += more
      if (text.length < batchSize) return
      if (!text.includes('\n')) {
        text = text.slice(0, batchSize)
        isCutting = true
        return
      }
      await writing
      // Stores a flood at a steady rate, so that other calls get the database in between.
      await Promise.all([flushLines(), setTimeout(pause)])
    },
    async end() {
      clearInterval(timer)
      await writing
      text += decoder.end()
      if (!isFull) await flush(text.length)
    },
  }
}
