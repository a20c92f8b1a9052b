import type { Config } from '../config.ts'
import { isListening } from './core.ts'
import type { Check } from './trouble.ts'

/** systemd restarts nginx by itself, so this is only reported. */
export const checkFront =
  ({ door }: Config): Check =>
  async () =>
    (await isListening('tcp', Number(door)))
      ? undefined
      : { kind: 'front', detail: `nothing listens on TCP port ${door}` }
