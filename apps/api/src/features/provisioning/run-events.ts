import * as z from 'zod/mini'
import { type Processor, processors } from '../../lib/processor.ts'

const counts = z.object({
  ok: z.number(),
  changed: z.number(),
  failures: z.number(),
  unreachable: z.number(),
})

const runEvent = z.discriminatedUnion('event', [
  z.object({ event: z.enum(['play', 'task', 'ok', 'changed', 'skipped']), task: z.string() }),
  z.object({ event: z.enum(['failed', 'unreachable']), task: z.string(), msg: z.string(), code: z.string() }),
  z.object({ event: z.literal('stats'), stats: z.record(z.string(), counts) }),
  z.object({ event: z.enum(['hostkeys', 'certificate']), text: z.string() }),
  z.object({ event: z.literal('processor'), text: z.enum(processors) }),
  z.object({ event: z.literal('unconfined'), reason: z.string() }),
])
type RunEvent = z.infer<typeof runEvent>

export interface Story {
  task: string
  hasReached: boolean
  failure: { kind: 'failed' | 'unreachable'; task: string; msg: string; code: string } | null
  counts: z.infer<typeof counts> | null
  hostKeys: string
  /** As the host sent it. */
  certificate: string
  processor: Processor | null
  unconfined: string
}

export const newStory = (): Story => ({
  task: '',
  hasReached: false,
  failure: null,
  counts: null,
  hostKeys: '',
  certificate: '',
  processor: null,
  unconfined: '',
})

export function applyEvent(story: Story, line: string, host: string): void {
  const event = parse(line)
  if (!event) return
  if (event.event === 'task') story.task = event.task
  else if (event.event === 'ok' || event.event === 'changed') story.hasReached = true
  else if (event.event === 'stats') story.counts = event.stats[host] ?? null
  else if (event.event === 'hostkeys') story.hostKeys = event.text
  else if (event.event === 'certificate') story.certificate = event.text
  else if (event.event === 'processor') story.processor = event.text
  else if (event.event === 'unconfined') story.unconfined = event.reason
  else if (event.event === 'failed' || event.event === 'unreachable')
    story.failure = { kind: event.event, task: event.task, msg: event.msg, code: event.code }
}

function parse(line: string): RunEvent | undefined {
  try {
    return runEvent.safeParse(JSON.parse(line)).data
  } catch {
    return undefined
  }
}
