import type { Context } from '../../context.ts'
import { announceHost } from '../hosts/kinds.ts'
import { closedWays, switchWaysOff } from '../hosts/ways.ts'
import { type Finding, isTried } from '../vpn-types/vpn-types.ts'
import * as store from './health.store.ts'
import { judgeServer, judgeTunnel } from './judge.ts'
import { keepProofs, obstacleOf, probeWays } from './probe-ways.ts'
import { deriveHealth } from './tell-health.ts'

type Place = store.Place

/** Rounds start a minute apart; a round that another worker has just done is skipped. */
const minRoundInterval = 30_000
const keptFor = 30 * 86_400_000

export async function probeHosts(ctx: Context): Promise<Record<string, number>> {
  const began = ctx.clock.now()
  const places = await store.placesToProbe(ctx.db, new Date(began.getTime() - minRoundInterval))
  const findings = await probeAll(ctx, places)
  for (const [place, finding] of findings) await note(ctx, place, finding)
  const now = ctx.clock.now()
  await store.tidy(ctx.db, now, new Date(now.getTime() - keptFor))
  const count = (of: (finding: Finding) => boolean) => [...findings.values()].filter(of).length
  return {
    answered: count(({ outcome }) => outcome === 'ANSWERED'),
    failed: count((finding) => isTried(finding) && finding.outcome !== 'ANSWERED'),
    untried: count((finding) => !isTried(finding)),
  }
}

/** A tunnelled server is probed through every tunnel of its type, a direct one directly. */
async function probeAll(ctx: Context, places: readonly Place[]): Promise<Map<Place, Finding>> {
  if (!ctx.config.KELID_PROBES) {
    await switchWaysOff(ctx.db)
    return new Map(places.map((place) => [place, { outcome: 'OFF', detail: '' }]))
  }
  const findings = new Map<Place, Finding>()
  for (const place of places) {
    const obstacle = obstacleOf(ctx, place)
    if (obstacle) findings.set(place, obstacle)
  }
  const allowed = places.filter((place) => !findings.has(place))
  const tunnels = allowed.filter(({ kind }) => kind === 'tunnel')
  const servers = allowed.filter(({ kind }) => kind === 'server')
  const direct = servers.filter(({ tunnel_type }) => tunnel_type === '')
  const tunnelled = servers.filter(({ tunnel_type }) => tunnel_type !== '')
  const closed = new Set((await closedWays(ctx.db)).map(({ exit, entry }) => `${exit} ${entry}`))
  const pairs = tunnelled.flatMap((server) =>
    tunnels
      .filter(({ tunnel_type }) => tunnel_type === server.tunnel_type)
      .filter(({ uuid }) => !closed.has(`${server.uuid} ${uuid}`))
      .map((tunnel) => ({ tunnel, server })),
  )
  const ownWays = direct.map((server) => ({ tunnel: server, server }))
  const ways = await probeWays(ctx, [...pairs, ...ownWays])
  await keepProofs(ctx, ways)
  const reachedServers = new Set(
    ways.filter(({ finding }) => finding.outcome === 'ANSWERED').map(({ server }) => server),
  )
  for (const { server, tunnel, finding } of ways) if (server === tunnel) findings.set(server, finding)
  for (const server of tunnelled)
    findings.set(server, judgeServer(ways.filter((way) => way.server === server)))
  for (const tunnel of tunnels) {
    const ownRoutes = ways.filter((way) => way.tunnel === tunnel)
    findings.set(
      tunnel,
      judgeTunnel(ownRoutes, (server) => reachedServers.has(server)),
    )
  }
  return findings
}

async function note(ctx: Context, place: Place, finding: Finding): Promise<void> {
  await ctx.atomically(async (tx) => {
    // The host may have been moved, removed or taken out of service during the probe.
    if (!(await store.isAt(tx, place))) return
    const now = ctx.clock.now()
    const before = (await store.probesOf(tx, [place.uuid])).get(place.uuid)
    const probe = probeOf(place, finding, before, now)
    await store.saveProbe(tx, probe)
    const signs = await store.findSigns(tx, place.kind, place.uuid)
    if (!signs) return
    const after = deriveHealth(signs, probe, now)
    const current = await store.lockHealth(tx, place.uuid)
    if (current?.health === after.health) return
    await store.writeHealth(tx, place, now, after)
    await announceHost(ctx, tx, place, signs.state)
  })
}

function probeOf(
  { kind, uuid }: Place,
  { outcome, detail, certificate }: Finding,
  before: store.Probe | undefined,
  now: Date,
): store.Probe {
  const isAnswer = outcome === 'ANSWERED'
  // A skipped probe says nothing about the previous state.
  const previous = isTried({ outcome }) ? before : undefined
  return {
    host_uuid: uuid,
    subject: kind,
    outcome,
    detail,
    failures: isAnswer || !isTried({ outcome }) ? 0 : (previous?.failures ?? 0) + 1,
    tried_at: now,
    answered_at: isAnswer ? now : (previous?.answered_at ?? null),
    certificate_issuer: certificate?.issuer ?? before?.certificate_issuer ?? '',
    certificate_until: certificate?.until ?? before?.certificate_until ?? null,
  }
}
