import type { HealthReason, HostHealth } from '@kelid/contract'
import { isInService } from '../hosts/kinds.ts'
import { isTried } from '../vpn-types/vpn-types.ts'
import type { Probe, Signs } from './health.store.ts'

export interface Health {
  readonly health: HostHealth
  readonly reason: HealthReason
  readonly detail: string
}

/** Nodes send hello every few seconds; after a minute of silence they count as down. */
const silence = 60_000
export const isSilent = (lastHeard: Date, now: Date): boolean =>
  now.getTime() - lastHeard.getTime() >= silence
/** A single lost packet is no outage; this many failures in a row are. */
const failuresForDown = 3
/** Hosts are probed every minute; older findings are ignored. */
const findingMaxAge = 5 * 60_000

/** Down or up by heartbeat or probe, unknown without either. Only hosts in service are probed. */
export function deriveHealth(
  { last_seen_at, ...host }: Pick<Signs, 'state' | 'accounts' | 'last_seen_at'>,
  probe: Probe | undefined,
  now: Date,
): Health {
  const since = (date: Date) => now.getTime() - date.getTime()
  const recentProbe =
    probe && isInService(host) && isTried(probe) && since(probe.tried_at) < findingMaxAge ? probe : undefined
  if (recentProbe && recentProbe.failures >= failuresForDown)
    return { health: 'down', reason: recentProbe.outcome as HealthReason, detail: recentProbe.detail }
  if (last_seen_at && isSilent(last_seen_at, now)) return { health: 'down', reason: 'SILENT', detail: '' }
  if (recentProbe?.answered_at) return { health: 'up', reason: 'ANSWERED', detail: '' }
  if (last_seen_at) return { health: 'up', reason: 'HEARD', detail: '' }
  return { health: 'unknown', reason: 'NEVER_TRIED', detail: '' }
}
