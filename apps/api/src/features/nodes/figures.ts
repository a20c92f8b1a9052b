import { type Answer, type getHostFigures, Refusal } from '@kelid/contract'
import type { Context } from '../../context.ts'
import { isSilent } from '../health/health.ts'
import { findAnyHost } from '../hosts/kinds.ts'
import { trafficOfHost } from '../usage/usage.ts'
import { alertsOf } from './alerts.ts'
import * as store from './figures.store.ts'
import { troublesOf } from './troubles.ts'

export async function figuresOf(ctx: Context, uuid: string): Promise<Answer<typeof getHostFigures>> {
  const host = await findAnyHost(ctx.db, uuid)
  if (!host) throw new Refusal('RESOURCE_NOT_FOUND')
  const now = ctx.clock.now()
  const [accounts, traffic, said, alerts, troubles] = await Promise.all([
    store.countAccounts(ctx.db, host, now),
    trafficOfHost(ctx, uuid),
    store.saidBy(ctx.db, uuid),
    alertsOf(ctx.db, now, uuid),
    troublesOf(ctx.db, uuid),
  ])
  // A restored backup lacks the reports but not the last contact.
  const lastHeard = said.at ?? host.last_seen_at
  return {
    hostActiveAccounts: accounts.active,
    hostAccounts: accounts.all,
    hostAbusedAccounts: accounts.abused,
    hostAlerts: alerts.map(({ alert, count, lastDate }) => ({ alert, count, lastDate })),
    hostTroubles: troubles,
    ...traffic,
    hostConnections: said.connections,
    hostLoad: said.load,
    agentVersion: said.agent_version ?? '',
    coreVersion: said.core_version ?? '',
    coreSinceDate: said.up_since?.toISOString() ?? null,
    clockOffsetMs: said.clock_offset_ms,
    agentHeardDate: lastHeard?.toISOString() ?? null,
    agentSilent: lastHeard !== null && isSilent(lastHeard, now),
  }
}

export const purgeRemovedHosts = ({ db }: Context): Promise<void> => store.deleteRemovedHosts(db)
