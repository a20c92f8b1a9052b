import type { LiveEvent } from '@kelid/contract'
import { plainText } from './plain-text.ts'

type LogEvent = Pick<Extract<LiveEvent, { type: 'log' }>, 'run' | 'number' | 'line'>

export type Step = 'append' | 'nothing' | 'again'

/**
 * The reply does not name its run. Until a line continues the text, a line that contradicts it belongs to another run.
 */
export function createLogFeed(runUUID?: string) {
  let run = runUUID
  let lines: string[] = []
  /** Events during a read are queued; otherwise a slow reader would never catch up. */
  let queue: LogEvent[] | undefined

  const queueAndReread = (event: LogEvent): Step => {
    if (event.run !== run) {
      queue = undefined
      lines = []
    }
    run = event.run
    queue = [...(queue ?? []), event]
    return 'again'
  }
  function take(event: LogEvent): Step {
    if (runUUID && event.run !== runUUID) return 'nothing'
    if (queue || (run !== undefined && event.run !== run)) return queueAndReread(event)
    const line = plainText(event.line)
    if (event.number <= lines.length)
      return run !== undefined || lines[event.number - 1] === line ? 'nothing' : queueAndReread(event)
    if (event.number > lines.length + 1) return queueAndReread(event)
    run = event.run
    lines.push(line)
    return 'append'
  }
  return {
    take,
    begin(text: string): Step {
      const plain = plainText(text)
      const readLines = plain === '' ? [] : plain.split('\n')
      // The stream may already have delivered newer lines than the reply.
      const isBehind = run !== undefined && readLines.length > 0 && readLines.length < lines.length
      if (!isBehind || readLines.some((line, index) => line !== lines[index])) lines = readLines
      const queued = queue ?? []
      queue = undefined
      return queued.map(take).includes('again') ? 'again' : 'nothing'
    },
    last: (): string => lines.at(-1) ?? '',
    whole: (): string => lines.join('\n'),
  }
}
