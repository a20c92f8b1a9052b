import {
  type Answer,
  type getHostPrograms,
  type getUpgrades,
  type Programs,
  Refusal,
  type UpgradeState,
} from '@kelid/contract'
import type { Context } from '../../context.ts'
import { type Processor, thisProcessor } from '../../lib/processor.ts'
import { type Actor, record } from '../audit/audit.ts'
import { actionOf, requireHost } from '../hosts/kinds.ts'
import { holdMachine } from '../hosts/machine.ts'
import { readPrograms, samePrograms, wantPrograms } from '../hosts/programs.ts'
import { hasOpenRun, queueProvisioning } from '../hosts/runs.ts'
import { newestPrograms } from '../provisioning/provisioning.ts'
import * as store from './upgrades.store.ts'

export async function requireNewest(ctx: Context): Promise<store.Target> {
  const newest = await newestPrograms(ctx)
  if (typeof newest === 'string') throw new Refusal('NO_PROGRAMS')
  return newest
}

/** The hosts of one machine are upgraded together. Asked for twice, it is done once. */
export async function upgradeHost(ctx: Context, by: Actor, uuid: string): Promise<void> {
  const host = await requireHost(ctx.db, uuid)
  const all = await requireNewest(ctx)
  await ctx.atomically(async (tx) => {
    await holdMachine(tx, host)
    let needed = 0
    for (const one of await store.hostsAround(tx, all, uuid)) {
      const newest = programsFor(all, one.processor)
      if (!newest) throw new Refusal('NO_PROGRAMS')
      const { wanted, installed } = await readPrograms(tx, one)
      if (samePrograms(installed, newest) && samePrograms(wanted, newest)) continue
      needed += 1
      if (samePrograms(wanted, newest) && (await hasOpenRun(tx, one))) continue
      await wantPrograms(tx, one, newest)
      await queueProvisioning(ctx, tx, by, one, one.state)
      await record(ctx, tx, by, actionOf(one.kind, 'upgrade'), one.uuid, versionsOf(newest))
    }
    if (needed === 0) throw new Refusal('UP_TO_DATE')
  })
}

/** A host whose processor no run has told so far has that of the control plane. */
export const programsFor = (all: store.Target, processor: Processor | null): Programs | null =>
  all[processor ?? thisProcessor] ?? null

export const versionsOf = ({ core, agent, node }: Programs) => ({
  core: core.version,
  agent: agent.version,
  node: node.version,
})

export async function listPrograms(
  ctx: Context,
  page: { limit?: number | undefined; cursor?: string | undefined; machineIPV4?: string | undefined },
): Promise<Answer<typeof getHostPrograms>> {
  const newest = await newestPrograms(ctx)
  const { rows, ...rest } = await store.listHosts(ctx.db, page)
  const items = rows.map((row) => ({
    hostUUID: row.uuid,
    hostKind: row.kind,
    hostName: row.name,
    hostState: row.state,
    upgradeState: upgradeStateOf(row, typeof newest === 'string' ? null : programsFor(newest, row.processor)),
    wantedPrograms: row.wanted_programs,
    installedPrograms: row.installed_programs,
    agentVersion: row.agent_version,
    coreVersion: row.core_version,
    failedUpgrade: row.failed_upgrade && {
      runUUID: row.failed_upgrade.run,
      failedDate: row.failed_upgrade.at,
      lastLine: row.last_line,
    },
  }))
  return { items, ...rest }
}

function upgradeStateOf(
  { wanted_programs: wanted, installed_programs: installed, failed_upgrade: failed }: store.HostPrograms,
  newest: Programs | null,
): UpgradeState {
  if (wanted !== null && !samePrograms(wanted, installed)) return 'waiting'
  if (failed) return 'failed'
  if (installed === null) return 'unknown'
  return newest === null || samePrograms(installed, newest) ? 'current' : 'outdated'
}

export async function readUpgrades(ctx: Context): Promise<Answer<typeof getUpgrades>> {
  const programs = await newestPrograms(ctx)
  const newest = typeof programs === 'string' ? null : programs
  const last = await store.lastRollout(ctx.db)
  const target = last?.state === 'running' ? last.programs : newest
  const counts = target
    ? await store.countHosts(ctx.db, target)
    : { current: 0, waiting: 0, outdated: 0, machines: 0 }
  return {
    newestPrograms: newest && programsFor(newest, null),
    currentHosts: counts.current,
    waitingHosts: counts.waiting,
    outdatedHosts: counts.outdated,
    currentMachines: counts.machines,
    rollout: last
      ? {
          rolloutState: last.state,
          rolloutPrograms: programsFor(last.programs, null),
          rolloutStartedDate: last.started_at.toISOString(),
          rolloutStartedBy: last.started_by,
          rolloutFinishedDate: last.finished_at?.toISOString() ?? null,
          failedHost: last.host_uuid
            ? {
                hostUUID: last.host_uuid,
                hostKind: last.host_kind,
                hostName: last.host_name,
                lastLine: last.last_line,
              }
            : null,
        }
      : null,
  }
}
