import type { LiveEvent } from '@kelid/contract'
import { plainText } from './plain-text.ts'

type LogEvent = Pick<Extract<LiveEvent, { type: 'log' }>, 'run' | 'number' | 'line'>

/** What follows from a line that came by the live stream: it goes on from the last one, it is there already, or lines are missing. */
export type Step = 'append' | 'nothing' | 'again'

/**
 * Puts a log that was read and the lines that come after it together. The reply does not say of which run it is: until a
 * line fits on to it, one that should be there already and reads otherwise is of another.
 */
export function createLogFeed(runUUID?: string) {
  let run = runUUID
  let lines: string[] = []
  /** What came while the log is read again: a reader who is slower than the writer would never catch up otherwise. */
  let waiting: LogEvent[] | undefined

  const again = (event: LogEvent): Step => {
    if (event.run !== run) {
      waiting = undefined
      lines = []
    }
    run = event.run
    waiting = [...(waiting ?? []), event]
    return 'again'
  }
  function take(event: LogEvent): Step {
    if (runUUID && event.run !== runUUID) return 'nothing'
    if (waiting || (run !== undefined && event.run !== run)) return again(event)
    const line = plainText(event.line)
    if (event.number <= lines.length)
      return run !== undefined || lines[event.number - 1] === line ? 'nothing' : again(event)
    if (event.number > lines.length + 1) return again(event)
    run = event.run
    lines.push(line)
    return 'append'
  }
  return {
    take,
    /** The log as it was read; says whether it must be read once more. */
    begin(text: string): Step {
      const shown = plainText(text)
      const read = shown === '' ? [] : shown.split('\n')
      // Lines may have come by the stream since it was read.
      const isBehind = run !== undefined && read.length > 0 && read.length < lines.length
      if (!isBehind || read.some((line, index) => line !== lines[index])) lines = read
      const late = waiting ?? []
      waiting = undefined
      return late.map(take).includes('again') ? 'again' : 'nothing'
    },
    last: (): string => lines.at(-1) ?? '',
    whole: (): string => lines.join('\n'),
  }
}
