import type { HostKind, RunPurpose } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { clip, plain } from '../../lib/text.ts'
import { announce } from '../events/events.ts'
import * as store from './provisioning.store.ts'
import { redact } from './redact.ts'

export { coreDirOf, coreInUse } from './core-store.ts'
export { publicSshKey } from './product-key.ts'
export { newestPrograms } from './programs.ts'
export { lastFailures } from './provisioning.store.ts'

const maxLogBytes = 1_048_576
const maxLineLength = 4_096
const batchLines = 500
const cutMark = '[the log is longer than is kept]'

/**
 * Stores log lines without secrets and terminal codes and sends them to administrators. It removes the codes first,
 * because codes inside a secret would hide it from the redaction. `always` writes even to a full log: how a run
 * ended.
 */
export async function writeLog(
  ctx: Context,
  run: { uuid: string; subject: HostKind; subject_uuid: string; purpose?: RunPurpose },
  text: string,
  secrets: readonly string[],
  { always = false } = {},
): Promise<{ isFull: boolean }> {
  const lines = redact(plain(text), secrets.map(plainLines))
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => clip(line, maxLineLength))
  return ctx.atomically(async (tx) => {
    for (let at = 0; at < lines.length; at += batchLines) {
      const written = await keep(ctx, tx, run.uuid, lines.slice(at, at + batchLines), always)
      const common = { type: 'log', subject: run.subject, uuid: run.subject_uuid, run: run.uuid } as const
      const events = written.lines.map((line, index) => ({ ...common, number: written.first + index, line }))
      // The log of a cleaning run is not the host's log.
      if (events.length > 0 && run.purpose !== 'clean') await announce(ctx, tx, null, events)
      if (written.isFull) return { isFull: true }
    }
    return { isFull: false }
  })
}

const plainLines = (secret: string) => plain(secret.replace(/\r\n?/g, '\n'))

async function keep(ctx: Context, tx: Db, run: string, lines: readonly string[], always: boolean) {
  const now = ctx.clock.now()
  const first = await store.appendLines(tx, run, lines, maxLogBytes, now, { always })
  if (first !== null) return { first, lines, isFull: false }
  const noteLine = await store.appendLines(tx, run, [cutMark], maxLogBytes, now, { once: true })
  return { first: noteLine ?? 0, lines: noteLine === null ? [] : [cutMark], isFull: true }
}
