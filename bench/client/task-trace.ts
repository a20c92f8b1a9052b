import type { Browser, Page } from '@playwright/test'

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly ph: string
  readonly ts: number
  readonly dur?: number
  readonly tdur?: number
  readonly args: { readonly name?: string; readonly data?: { readonly frame?: string } }
}

export interface Task {
  /** CPU time: on a busy machine wall time includes other programs. */
  readonly cpuMs: number
  /** Its parts, slowest first. */
  parts(): readonly string[]
}

const categories = [
  'toplevel',
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
  'v8',
  '__metadata',
]

/** Every task of the page's main thread during the act. */
export async function traceTasks(browser: Browser, page: Page, act: () => Promise<void>): Promise<Task[]> {
  await browser.startTracing(page, { categories })
  const trace = await act().then(() => browser.stopTracing())
  return tasksOf((JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] }).traceEvents)
}

/** The page is the renderer with the busiest main thread; others are spare processes. */
function tasksOf(events: readonly TraceEvent[]): Task[] {
  const mains = events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
  const spans = mains.map(({ pid, tid }) =>
    events.filter((event) => event.pid === pid && event.tid === tid && event.ph === 'X'),
  )
  const page = spans.toSorted((one, other) => other.length - one.length)[0] ?? []
  return page.filter(isTask).map((task) => ({
    cpuMs: (task.tdur ?? task.dur ?? 0) / 1_000,
    parts: () =>
      page
        .filter((part) => !isTask(part) && part.ts >= task.ts && part.ts < task.ts + (task.dur ?? 0))
        .toSorted((one, other) => (other.tdur ?? 0) - (one.tdur ?? 0))
        .slice(0, 8)
        .map(({ name, tdur = 0 }) => `${name} ${(tdur / 1_000).toFixed(1)}`),
  }))
}

const isTask = ({ name }: TraceEvent): boolean => /^(?:RunTask|ThreadControllerImpl::RunTask)$/.test(name)
