import type { LiveEvent } from '@kelid/contract'

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

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: removing them is the point
const ansi = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\p{Bidi_Control}|\ufeff/gu
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: as above

/** The server already removes these; a bidi control could make a neighbouring line read differently. */
export const plainText = (text: string): string => text.replace(ansi, '').replace(controls, '')
