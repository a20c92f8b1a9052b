import type { Context } from '../../context.ts'
import { isForbiddenTarget } from '../../lib/forbidden-targets.ts'
import { authorityCertificate } from '../authority/authority.ts'
import { announceHost } from '../hosts/kinds.ts'
import { findCore } from './core.ts'
import { type Finding, isTried } from './finding.ts'
import * as store from './health.store.ts'
import { inParallel } from './in-parallel.ts'
import { judgeServer, judgeTunnel, type Way } from './judge.ts'
import { knock } from './probe-hysteria.ts'
import { shakeHands, trusting } from './probe-tls.ts'
import { tellHealth } from './tell-health.ts'

type Place = store.Place

/** A handshake is a socket; a core is a process of its own. */
const atOnce = { handshakes: 32, cores: 4 }
/** Rounds begin a minute apart, and one that another worker has just done is not done again. */
const apart = 30_000
const keptFor = 30 * 86_400_000

/** Tries every host that is in service from outside, as a customer would, and notes what changed. */
export async function probeHosts(ctx: Context): Promise<Record<string, number>> {
  const began = ctx.clock.now()
  const places = await store.placesToProbe(ctx.db, new Date(began.getTime() - apart))
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

async function probeAll(ctx: Context, places: readonly Place[]): Promise<Map<Place, Finding>> {
  if (!ctx.config.KELID_PROBES) return new Map(places.map((place) => [place, { outcome: 'OFF', detail: '' }]))
  const core = await findCore(ctx)
  const authorities = [await authorityCertificate(ctx)]
  const targetOf = ({ ipv4: address, port }: Place, name: string) => ({ address, port, name, authorities })
  const isForbidden = ({ ipv4 }: Place) => isForbiddenTarget(ctx, ipv4)
  const allowed = places.filter((place) => !isForbidden(place))
  const tunnels = allowed.filter(({ kind }) => kind === 'tunnel')
  const tunnelled = allowed.filter(({ kind, tunnel_type }) => kind === 'server' && tunnel_type !== '')
  const direct = allowed.filter(({ kind, tunnel_type }) => kind === 'server' && tunnel_type === '')

  const pairs = tunnels.flatMap((tunnel) =>
    tunnelled
      .filter(({ tunnel_type }) => tunnel_type === tunnel.tunnel_type)
      .map((server) => ({ tunnel, server })),
  )
  const trusted = trusting(authorities)
  const [ways, knocks] = await Promise.all([
    inParallel(pairs, atOnce.handshakes, async ({ tunnel, server }) => ({
      tunnel,
      server,
      finding: await shakeHands(targetOf(tunnel, server.tls_name), trusted),
    })),
    inParallel(direct, atOnce.cores, (server) =>
      core === null
        ? Promise.resolve<Finding>({ outcome: 'NO_CORE', detail: '' })
        : knock(core, targetOf(server, server.tls_name)),
    ),
  ])
  const reached = (ways: readonly Way<Place, Place>[]) =>
    new Set(ways.filter(({ finding }) => finding.outcome === 'ANSWERED').map(({ server }) => server))
  const everReached = reached(ways)
  return new Map<Place, Finding>([
    ...places
      .filter(isForbidden)
      .map((place) => [place, { outcome: 'FORBIDDEN', detail: place.ipv4 }] as const),
    ...tunnelled.map((server) => [server, judgeServer(ways.filter((way) => way.server === server))] as const),
    ...tunnels.map((tunnel) => {
      const own = ways.filter((way) => way.tunnel === tunnel)
      return [tunnel, judgeTunnel(own, (server) => everReached.has(server))] as const
    }),
    ...direct.map((server, index) => [server, knocks[index] as Finding] as const),
  ])
}

/** Keeps what was found and, where that makes another health of it, since when; whoever watches is told. */
async function note(ctx: Context, place: Place, finding: Finding): Promise<void> {
  await ctx.atomically(async (tx) => {
    // It may have been moved, removed or taken out of service while it was tried.
    if (!(await store.isAt(tx, place))) return
    const now = ctx.clock.now()
    const before = (await store.probesOf(tx, [place.uuid])).get(place.uuid)
    const probe = probeOf(place, finding, before, now)
    await store.saveProbe(tx, probe)
    const signs = await store.findSigns(tx, place.kind, place.uuid)
    if (!signs) return
    const after = tellHealth(signs, probe, now)
    const held = await store.lockHealth(tx, place.uuid)
    if (held?.health === after.health) return
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
  // What could not be tried is not what it was when it last could.
  const known = isTried({ outcome }) ? before : undefined
  return {
    host_uuid: uuid,
    subject: kind,
    outcome,
    detail,
    failures: isAnswer || !isTried({ outcome }) ? 0 : (known?.failures ?? 0) + 1,
    tried_at: now,
    answered_at: isAnswer ? now : (known?.answered_at ?? null),
    certificate_issuer: certificate?.issuer ?? before?.certificate_issuer ?? '',
    certificate_until: certificate?.until ?? before?.certificate_until ?? null,
  }
}
