import type { LoggerOptions } from 'pino'

/** JSON lines. What could carry a secret is cut out here as well, should a caller ever log it by mistake. */
export const loggerOptions = (level: string): LoggerOptions => ({
  level,
  base: null,
  timestamp: () => `,"time":"${new Date().toISOString()}"`,
  redact: {
    paths: [
      'password',
      'token',
      'authorization',
      'secret',
      '*.password',
      '*.token',
      '*.authorization',
      '*.secret',
    ],
    censor: '[hidden]',
  },
})
