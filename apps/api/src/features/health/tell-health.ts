import type { HealthReason, HostHealth } from '@kelid/contract'
import { isTried } from '../vpn-types/vpn-types.ts'
import type { Probe, Signs } from './health.store.ts'

export interface Health {
  readonly health: HostHealth
  readonly reason: HealthReason
  readonly detail: string
}

/** Nodes send hello every few seconds; after a minute of silence they count as down. */
const silence = 60_000
export const isSilent = (heard: Date, now: Date): boolean => now.getTime() - heard.getTime() >= silence
/** A single lost packet is no outage; this many failures in a row are. */
const enough = 3
/** Hosts are probed every minute; older findings are ignored. */
const fresh = 5 * 60_000

/** Down or up by heartbeat or probe, unknown without either. Only hosts in service are probed. */
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
