import { StringDecoder } from 'node:string_decoder'
import { setTimeout } from 'node:timers/promises'

/** Buffer size before the program must wait. */
const batchSize = 65_536
const pause = 200

export interface LogPump {
  add(chunk: Buffer): Promise<void>
  end(): Promise<void>
}

/**
 * Passes on complete lines in batches, because each write is expensive. A faster program must wait, and the rest is
 * dropped once `write` reports a full log. Overlong lines are truncated.
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
