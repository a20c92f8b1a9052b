import { movement, movesThroughout } from '@kelid/contract'
import { groupBy } from '../../lib/grouped.ts'
import { type Movement, waitMax } from './abuse.store.ts'

const second = 1_000
const sliceLength = movement.sliceSeconds * second
const all = 2 ** movement.slices - 1

/** A network that moved bytes all through a minute, at whichever hosts. */
export interface Device {
  readonly network: string
  readonly slices: number
  readonly movements: readonly Movement[]
}

/**
 * The last minute of an account that all hosts have reported whose customers use it, and the devices that were connected
 * and moved bytes all through it, the newest one last. A network that uses several hosts at once is one device.
 */
export function lastMinuteOf(movements: readonly Movement[], until: Date): { at: Date; devices: Device[] } {
  const hosts = [...groupBy(movements, ({ entrance_uuid }) => entrance_uuid).values()]
  const ends = hosts.map((own) => Math.max(...own.map((one) => one.until.getTime())))
  const end = Math.min(until.getTime(), ...ends.filter((one) => one >= until.getTime() - waitMax))
  const devices = [...groupBy(movements, ({ network }) => network)].flatMap(([network, own]) => {
    const inMinute = own.filter((one) => slicesIn(one, end) > 0)
    const slices = inMinute.reduce((sum, one) => sum | slicesIn(one, end), 0)
    const first = Math.min(...own.map((one) => one.first_seen_at.getTime()))
    const last = Math.max(...own.map((one) => one.last_seen_at.getTime()))
    const isConnected = first <= end - 45 * second && last >= end - 20 * second
    return isConnected && movesThroughout(slices) ? [{ network, slices, movements: inMinute, first }] : []
  })
  const byAge = devices.sort((a, b) => a.first - b.first || (a.network < b.network ? -1 : 1))
  return { at: new Date(end), devices: byAge }
}

/** The slices of a report as slices of the minute before `end`. */
function slicesIn({ until, slices }: Movement, end: number): number {
  const later = Math.round((until.getTime() - end) / sliceLength)
  if (Math.abs(later) >= movement.slices) return 0
  return (later >= 0 ? slices << later : slices >> -later) & all
}
