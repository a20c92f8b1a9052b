import { type HostKind, Refusal } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import type { Host } from '../hosts/kinds.ts'
import { failedUpkeepOf } from '../hosts/retries.ts'
import { hasOpenRun } from '../hosts/runs.ts'
import { waysOf } from '../hosts/ways.ts'
import * as store from './health.store.ts'
import { deriveHealth, type Health } from './tell-health.ts'

export { type Probe, probesOf } from './health.store.ts'
export { deriveHealth as tellHealth, isSilent } from './tell-health.ts'

const maxChanges = 50

const iso = (date: Date | null | undefined) => date?.toISOString() ?? null

export async function healthOfHost(ctx: Context, { kind, uuid }: Host) {
  const signs = await store.findSigns(ctx.db, kind, uuid)
  if (!signs) throw new Refusal('RESOURCE_NOT_FOUND')
  const probe = (await store.probesOf(ctx.db, [uuid])).get(uuid)
  const changes = await store.listChanges(ctx.db, uuid, maxChanges)
  const changeCount = await store.countChanges(ctx.db, uuid)
  const certificate = sawCertificate(probe)
    ? probe
    : ((await store.reportedCertificate(ctx.db, uuid)) ?? probe)
  const { health, reason } = deriveHealth(signs, probe, ctx.clock.now())
  const upkeep = await failedUpkeepOf(ctx.db, { kind, uuid })
  const ways = await waysOf(ctx.db, uuid)
  const openRun = await hasOpenRun(ctx.db, { kind, uuid })
  return {
    health,
    reason,
    probeDate: iso(probe?.tried_at),
    probeOutcome: probe?.outcome ?? null,
    probeDetail: probe?.detail ?? '',
    probeFailures: probe?.failures ?? 0,
    certificateIssuer: certificate?.certificate_issuer ?? '',
    certificateUntilDate: iso(certificate?.certificate_until),
    changeCount,
    changes: changes.map((change) => ({
      health: change.health,
      reason: change.reason,
      detail: change.detail,
      sinceDate: change.since.toISOString(),
      untilDate: iso(change.until),
    })),
    openRun,
    upkeep: upkeep
      ? {
          failures: upkeep.failures,
          runUUID: upkeep.run,
          failedDate: upkeep.failed_at.toISOString(),
          retryDate: upkeep.retry_at.toISOString(),
          lastLine: upkeep.last_line,
        }
      : null,
    ways: ways.map((way) => ({
      hostUUID: way.uuid,
      hostName: way.name,
      isSold: way.is_open,
      outcome: way.outcome || null,
      detail: way.detail ?? '',
      probeDate: iso(way.tried_at),
    })),
  }
}

/** The certificate seen by the last probe takes precedence over the agent's report. */
const sawCertificate = (probe: store.Probe | undefined): boolean =>
  probe?.certificate_until != null && (probe.outcome === 'ANSWERED' || probe.outcome === 'CERTIFICATE')

export const healthOfAll = (db: Db, now: Date) => healthOfEach(db, store.hostsInService(db), now)

async function healthOfEach(db: Db, reading: Promise<store.Signs[]>, now: Date) {
  const [hosts, probes] = await Promise.all([reading, store.probesOf(db)])
  return hosts.map((host) => ({ ...host, ...deriveHealth(host, probes.get(host.uuid), now) }))
}

export async function hostsInHealth(
  db: Db,
  kind: HostKind,
  expected: Health['health'],
  now: Date,
): Promise<string[]> {
  const hosts = await healthOfEach(db, store.hostsOf(db, kind), now)
  return hosts.filter(({ health }) => health === expected).map(({ uuid }) => uuid)
}

export async function countUnwell(db: Db, now: Date) {
  // A host that has failed is counted as such.
  const hosts = (await healthOfAll(db, now)).filter(({ state }) => state === 'ready')
  const count = (kind: HostKind, health: Health['health']) =>
    hosts.filter((host) => host.kind === kind && host.health === health).length
  return {
    server: { down: count('server', 'down'), silent: count('server', 'unknown') },
    tunnel: { down: count('tunnel', 'down'), silent: count('tunnel', 'unknown') },
  }
}
