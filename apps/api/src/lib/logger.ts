import { type DestinationStream, type LoggerOptions, pino } from 'pino'

const secretNames = ['password', 'token', 'authorization', 'secret']
const isSecret = new Set(secretNames)
const hidden = '[hidden]'

type Fields = Record<string, unknown>
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !(value instanceof Error)

/** Redacts by name, in two levels. Pino's own redaction costs more than everything else about a line. */
function withoutSecrets(fields: Fields, levels = 2): Fields {
  let copy: Fields | undefined
  for (const name of Object.keys(fields)) {
    const value = fields[name]
    let redacted = value
    if (isSecret.has(name)) redacted = hidden
    else if (levels > 1 && isFields(value)) redacted = withoutSecrets(value, levels - 1)
    if (redacted === value) continue
    copy ??= { ...fields }
    copy[name] = redacted
  }
  return copy ?? fields
}

export const loggerOptions = (level: string): LoggerOptions => ({
  level,
  base: null,
  timestamp: () => `,"time":"${new Date().toISOString()}"`,
  formatters: { log: (fields) => withoutSecrets(fields) },
  serializers: {
    err: (error: Error) => withoutSecrets(pino.stdSerializers.err(error) as unknown as Fields, 1),
    // Fields of child loggers bypass the formatters.
    ...Object.fromEntries(secretNames.map((name) => [name, () => hidden])),
  },
})

const lineBuffer = 12_288
const flushEvery = 200

/** Buffered: under load, single writes would cost as much as the calls themselves. */
export const logDestination = (): DestinationStream =>
  pino.destination({ dest: 2, sync: false, minLength: lineBuffer, periodicFlush: flushEvery })
