import type { HostRoom } from '@kelid/contract'
import { type RawBuilder, sql } from 'kysely'

export const isOpen = sql<boolean>`(state = 'ready' AND NOT paused)`

/** The dashboard's counts and the lists' filters share these conditions. */
export const inRoom: Record<HostRoom, RawBuilder<boolean>> = {
  full: sql`accounts >= max_accounts`,
  nearlyFull: sql`(accounts < max_accounts AND accounts >= max_accounts * 0.9)`,
}
