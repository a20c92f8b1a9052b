import type { HealthReason, HostHealth } from '@kelid/contract'
import { isTried } from '../vpn-types/vpn-types.ts'
import type { Probe, Signs } from './health.store.ts'

export interface Health {
  readonly health: HostHealth
  readonly reason: HealthReason
  readonly detail: string
}

/** A node speaks every few seconds; after a minute of silence it is taken to be down. */
const silence = 60_000
export const isSilent = (heard: Date, now: Date): boolean => now.getTime() - heard.getTime() >= silence
/** One lost packet is no outage: so many failures in a row are. */
const enough = 3
/** A host is tried every minute; what was found longer ago than this says nothing of now. */
const fresh = 5 * 60_000

/** Down by either sign, up by either, unknown while there is none. Only a host in service is tried from outside. */
export function tellHealth(
  { state, last_seen_at }: Pick<Signs, 'state' | 'last_seen_at'>,
  probe: Probe | undefined,
  now: Date,
): Health {
  const since = (date: Date) => now.getTime() - date.getTime()
  const found =
    probe && state === 'ready' && isTried(probe) && since(probe.tried_at) < fresh ? probe : undefined
  if (found && found.failures >= enough)
    return { health: 'down', reason: found.outcome as HealthReason, detail: found.detail }
  if (last_seen_at && isSilent(last_seen_at, now)) return { health: 'down', reason: 'SILENT', detail: '' }
  if (found?.answered_at) return { health: 'up', reason: 'ANSWERED', detail: '' }
  if (last_seen_at) return { health: 'up', reason: 'HEARD', detail: '' }
  return { health: 'unknown', reason: 'NEVER_TRIED', detail: '' }
}
