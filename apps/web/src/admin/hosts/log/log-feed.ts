import type { LiveEvent } from '@kelid/contract'

export type LogEvent = Extract<LiveEvent, { type: 'log' }>

/** What follows from a line that came by the live stream. */
export type Step =
  | { readonly kind: 'append'; readonly line: string }
  /** Lines are missing, or another run has begun: the whole log is asked for again. */
  | { readonly kind: 'again' }
  /** It is there already. */
  | { readonly kind: 'nothing' }

/**
 * Puts a log that was read and the lines that come after it together. The reply does not say of which run it is, so the
 * first line that fits on to it tells.
 */
export function createLogFeed(runUUID?: string) {
  let run = runUUID
  let lines = 0
  return {
    /** The log as it was read. Lines that arrived meanwhile are given again, and those it holds are left out. */
    begin(text: string): void {
      lines = text === '' ? 0 : text.split('\n').length
      run = runUUID
    },
    take(event: Pick<LogEvent, 'run' | 'number' | 'line'>): Step {
      if (runUUID && event.run !== runUUID) return { kind: 'nothing' }
      const isAnother = run !== undefined && event.run !== run
      if (!isAnother && event.number <= lines) return { kind: 'nothing' }
      if (isAnother || event.number > lines + 1) return { kind: 'again' }
      run = event.run
      lines += 1
      return { kind: 'append', line: event.line }
    },
  }
}
