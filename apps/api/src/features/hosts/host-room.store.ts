import type { HostRoom } from '@kelid/contract'
import { type RawBuilder, sql } from 'kysely'

/** It takes new accounts, as long as it has places. */
export const isOpen = sql<boolean>`(state = 'ready' AND NOT paused)`

/** How the dashboard counts hosts by what is left and the lists find them. */
export const inRoom: Record<HostRoom, RawBuilder<boolean>> = {
  full: sql`accounts >= max_accounts`,
  nearlyFull: sql`(accounts < max_accounts AND accounts >= max_accounts * 0.9)`,
}
