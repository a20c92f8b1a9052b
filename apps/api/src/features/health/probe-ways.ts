import { isVpnType, type VpnType } from '@kelid/contract'
import type { Context } from '../../context.ts'
import { isForbiddenTarget } from '../../lib/forbidden-targets.ts'
import { inParallel } from '../../lib/in-parallel.ts'
import { authorityCertificate } from '../authority/authority.ts'
import { probeAccountOf, probesWholeWay } from '../hosts/probe-account.ts'
import { installedCores } from '../hosts/programs.ts'
import { quicOf } from '../hosts/quic.ts'
import { noteProbed } from '../hosts/ways.ts'
import { coreDirOf, coreInUse } from '../provisioning/provisioning.ts'
import { bounded, type Finding, fetchThrough, formsOf, isTried, trusting } from '../vpn-types/vpn-types.ts'
import type { Place } from './health.store.ts'
import type { Route } from './judge.ts'

export interface Pair {
  /** The server itself if customers connect to it directly. */
  readonly tunnel: Place
  readonly server: Place
}

/** What says whether the way may be sold; a finding about the hosts may be less. */
export interface ProbedPair extends Route<Place, Place> {
  readonly proof: Pick<Finding, 'outcome' | 'detail'>
}

/** A handshake at first, and for those that answer it a page through the whole way. */
export async function probeWays(ctx: Context, pairs: readonly Pair[]): Promise<ProbedPair[]> {
  const authorities = [await authorityCertificate(ctx)]
  const core = await findCore(ctx)
  const targetOf = ({ tunnel, server }: Pair) => ({
    ...{ address: tunnel.ipv4, port: tunnel.port, name: server.tls_name, authorities },
    reality: server.reality,
    // At the server's own port.
    quic: { ...quicOf(ctx, server.uuid, server.serving?.quic), hopPorts: '' },
  })
  const routes = await shakeHands(pairs, { core, trusted: trusting(authorities) }, targetOf)
  if (!core || !probesWholeWay(ctx.config)) return routes.map((route) => ({ ...route, proof: route.finding }))
  const isReady = ({ finding, server }: Route<Place, Place>) =>
    finding.outcome === 'ANSWERED' && server.probe_applied_at !== null
  const ready = routes.filter(isReady)
  const fetched = await fetchThrough(
    core,
    ready.map((route) => ({
      ...targetOf(route),
      vpnType: route.server.vpn_type as VpnType,
      secret: probeAccountOf(ctx, route.server.uuid).secret,
    })),
    ctx.config.KELID_PROBE_URL,
  )
  return routes.map((route) => {
    const page = fetched[ready.indexOf(route)]
    if (!page) {
      const isAnswer = route.finding.outcome === 'ANSWERED'
      return { ...route, proof: isAnswer ? { outcome: 'NO_ACCOUNT', detail: '' } : route.finding }
    }
    // A core that does not start says nothing about the hosts.
    const finding = page.outcome === 'NO_CORE' ? route.finding : { ...route.finding, ...page }
    return { ...route, finding, proof: finding }
  })
}

export function obstacleOf(ctx: Context, { kind, ipv4, vpn_type }: Place): Finding | null {
  if (isForbiddenTarget(ctx, ipv4)) return { outcome: 'FORBIDDEN', detail: ipv4 }
  if (kind === 'server' && !isVpnType(vpn_type))
    return { outcome: 'NO_CORE', detail: bounded(`unknown VPN type "${vpn_type}"`) }
  return null
}

export const keepProofs = (ctx: Context, probed: readonly ProbedPair[]): Promise<void> =>
  noteProbed(
    ctx.db,
    probed.map(({ server, tunnel, proof: { outcome, detail } }) => ({
      ...{ exit: server.uuid, entry: tunnel.uuid, known: server.serving, outcome, detail },
      isTried: isTried({ outcome }),
    })),
    ctx.clock.now(),
  )

async function shakeHands(
  pairs: readonly Pair[],
  tools: Parameters<ReturnType<typeof formsOf>['probe']['run']>[1],
  targetOf: (pair: Pair) => Parameters<ReturnType<typeof formsOf>['probe']['run']>[0],
): Promise<Route<Place, Place>[]> {
  const probeFor = ({ server }: Pair) => formsOf(server.vpn_type as VpnType).probe
  const probes = [...new Set(pairs.map(probeFor))]
  const routes = await Promise.all(
    probes.map((probe) =>
      inParallel(
        pairs.filter((pair) => probeFor(pair) === probe),
        probe.maxParallel,
        async (pair) => ({ ...pair, finding: await probe.run(targetOf(pair), tools) }),
      ),
    ),
  )
  return routes.flat()
}

/** The hosts' core binary also works as a client; null if the store has no intact one. */
async function findCore({ config, db }: Context): Promise<string | null> {
  const core = await coreInUse(coreDirOf(config), await installedCores(db))
  return typeof core === 'string' ? null : core.file
}
