import { hasReality, isQuic, type RunPurpose, vpnCatalogue } from '@kelid/contract'
import type { Context } from '../../context.ts'
import type { Reality, Serving } from '../../db/schema.ts'
import type { PerProcessor } from '../../lib/processor.ts'
import { authorityCertificate } from '../authority/authority.ts'
import { readExtraConfig, textsIn } from '../hosts/extra-config.ts'
import type { ServerRecord } from '../hosts/hosts.ts'
import { tryHoldHost } from '../hosts/kinds.ts'
import { leavingFrom, servicesAt } from '../hosts/occupancy.ts'
import { portsOf } from '../hosts/ports.ts'
import { quicOf, quicOptionsOf } from '../hosts/quic.ts'
import { openRealityKeys, publicPart } from '../hosts/reality.ts'
import {
  connectionsOf,
  otherEnds,
  type RelaySecrets,
  relayKeyOf,
  relayRealityOf,
  relaySecretsOf,
  slotsOf,
} from '../hosts/relays.ts'
import { openSecrets } from '../hosts/secrets.ts'
import { tlsNameOf } from '../hosts/tls-name.ts'
import type { KnownExit } from '../hosts/ways.ts'
import { serverCertificatePart, siteCertificate } from './certificate-part.ts'
import { nodeCertificate } from './certificates.ts'
import type { AcmeOrder } from './kept-certificates.ts'
import { publicSshKey } from './product-key.ts'
import type { StoredPrograms } from './programs.ts'
import { sitePart } from './site.ts'
import type { Subject } from './subject.ts'

export type Description = Record<string, unknown>

export interface ComposedRun {
  description: Description
  secrets: string[]
  files: string[]
  /** What the host has after a success, by its processor; null if that is not known. */
  programs: PerProcessor<StoredPrograms> | null
  peersDigest: Buffer
  exits: readonly KnownExit[]
  relayKeys: readonly string[]
  isOwnAuthority: boolean
  /** What customers' apps need after a success. */
  reality: Reality | null
  /** What the host gets by ACME and the control plane keeps. */
  order: AcmeOrder | null
  /** For the log, before the run. */
  note: string
}

type Part = Omit<ComposedRun, 'files' | 'programs'>

export const tlsName = ({ row }: Extract<Subject, { kind: 'server' }>): string =>
  tlsNameOf({ url: row.url, sni: row.details.serverSNIAddress })

async function sshPart(ctx: Context, { access, sshPort }: Subject) {
  const { replacesPassword } = access
  return {
    port: sshPort,
    authorized_key: replacesPassword ? await publicSshKey(ctx) : '',
    lock_password: replacesPassword,
  }
}

const basics = async (ctx: Context, purpose: RunPurpose, subject: Subject) => ({
  purpose,
  service: subject.service,
  host: { uuid: subject.uuid, kind: subject.kind, name: subject.name },
  ssh: await sshPart(ctx, subject),
})

/** TCP ports that other services of the machine listen on, also those that are about to leave it. */
async function portsTakenBeside(ctx: Context, { uuid, ipv4, service }: Subject): Promise<number[]> {
  const leaving = (await leavingFrom(ctx, ctx.db, ipv4)).map((one) => one.leaving)
  const others = [
    ...(await servicesAt(ctx.db, ipv4)).filter((other) => other.uuid !== uuid),
    ...leaving.filter((one) => one.service !== service),
  ]
  return others.flatMap(portsOf).flatMap(({ network, first }) => (network === 'tcp' ? [first] : []))
}

export async function composeCleaning(ctx: Context, subject: Subject): Promise<ComposedRun> {
  const description = await basics(ctx, 'clean', subject)
  const nothing = {
    secrets: [],
    files: [],
    programs: null,
    exits: [],
    relayKeys: [],
    isOwnAuthority: false,
    reality: null,
    order: null,
    note: '',
  }
  return { ...nothing, description, peersDigest: Buffer.alloc(0) }
}

export async function compose(
  ctx: Context,
  subject: Subject,
  programs: PerProcessor<StoredPrograms>,
): Promise<ComposedRun> {
  const node = await nodeCertificate(ctx, subject.uuid)
  // Provisioned by a release that did not record programs: it keeps what it runs until it is upgraded.
  const keepsPrograms = subject.row.wanted_programs === null && subject.row.told !== null
  const common = {
    ...(await basics(ctx, 'set-up', subject)),
    keeps_programs: keepsPrograms,
    taken_ports: await portsTakenBeside(ctx, subject),
    programs,
    agent: { url: ctx.config.KELID_AGENT_URL, ...node },
  }
  const kindPart = subject.kind === 'server' ? await serverPart(ctx, subject) : await tunnelPart(ctx, subject)
  const { site, note } = await sitePart(ctx, subject)
  return {
    ...kindPart,
    description: { ...common, ...(site && { site }), ...kindPart.description },
    note: [kindPart.note, note].filter(Boolean).join('\n'),
    secrets: [...kindPart.secrets, node.key],
    files: Object.values(programs)
      .flatMap(({ core, agent, node }) => [core, agent, node])
      .map(({ file }) => file)
      .filter((file) => file !== ''),
    programs: keepsPrograms ? null : programs,
  }
}

async function serverPart(ctx: Context, subject: Extract<Subject, { kind: 'server' }>): Promise<Part> {
  const { row } = subject
  const name = tlsName(subject)
  const { keys, digest } = await otherEnds(ctx.db, 'server', row.tunnel_type)
  const ws = await relaySecretsOf(ctx, ctx.db, { uuid: row.uuid, relaySecrets: row.relay_secrets })
  const relay = hasReality(row.vpn_type) ? relayRealityOf(ws) : null
  const { security, ...secured } = hasReality(row.vpn_type)
    ? await realityPart(ctx, row, name)
    : await tlsPart(ctx, row.uuid, name)
  const quic = quicOf(ctx, row.uuid, quicOptionsOf(row.details))
  const extra = readExtraConfig(openSecrets(ctx, 'server', row).values.serverConfigJson ?? '')
  return {
    description: {
      ...(secured.certificate && { certificate: secured.certificate }),
      server: {
        vpn_type: row.vpn_type,
        vpn: vpnCatalogue[row.vpn_type],
        name,
        port: row.port,
        tunnel_type: row.tunnel_type,
        relay_keys: keys,
        ws: { ...ws, ...(relay && { private: relay.privateKey, short_id: relay.shortId }) },
        extra,
        ...security,
        ...(isQuic(row.vpn_type) && { quic: { obfuscation: quic.obfuscation, hop_ports: quic.hopPorts } }),
      },
    },
    secrets: [
      ...[ws.path, ws.id, ...textsIn(extra.outbounds), ...secured.secrets],
      ...(relay ? [relay.privateKey] : []),
      ...[quic.obfuscation].filter(Boolean),
    ],
    peersDigest: digest,
    exits: [],
    relayKeys: keys,
    ...secured.issued,
  }
}

async function tlsPart(ctx: Context, uuid: string, name: string) {
  const { certificate, key, ...issued } = await serverCertificatePart(ctx, uuid, name)
  return { certificate, security: {}, secrets: key ? [key] : [], issued: { ...issued, reality: null } }
}

/** REALITY shows strangers another site, which needs no certificate, or the host's own. */
async function realityPart(ctx: Context, row: ServerRecord, name: string) {
  const target = row.details.serverRealityTarget ?? ''
  const { current, previous } = openRealityKeys(ctx, row)
  const keys = [current, ...(previous ? [previous] : [])]
  return {
    certificate: target ? null : await siteCertificate(ctx, name),
    security: {
      reality: {
        target,
        keys: keys.map(({ privateKey, shortId }) => ({ private: privateKey, short_id: shortId })),
      },
    },
    secrets: keys.map(({ privateKey }) => privateKey),
    issued: { isOwnAuthority: false, reality: publicPart(current), order: null, note: '' },
  }
}

/** The tunnel is locked while its servers and ports are read. */
const tunnelPart = (ctx: Context, subject: Extract<Subject, { kind: 'tunnel' }>): Promise<Part> =>
  ctx.atomically(async (tx) => {
    const { row } = subject
    await tryHoldHost(tx, subject)
    const { privateKey } = await relayKeyOf(ctx, tx, row)
    const { exits, digest } = await otherEnds(tx, 'tunnel', row.type)
    const slots = await slotsOf(
      tx,
      row.uuid,
      exits.map(({ uuid }) => uuid),
    )
    const connections = await connectionsOf(tx, row.uuid)
    const ca = await authorityCertificate(ctx)
    const certificate = await siteCertificate(ctx, tlsNameOf({ url: row.url }))
    const exitDescriptions = []
    for (const exit of exits) {
      const ws = await relaySecretsOf(ctx, tx, exit)
      exitDescriptions.push({
        uuid: exit.uuid,
        name: exit.name,
        ipv4: exit.ipv4,
        port: exit.port,
        slot: slots.get(exit.uuid) ?? 0,
        connections: connections.get(exit.uuid),
        service: exit.service ?? 1,
        ssh_port: exit.sshPort,
        ssh_host_key: exit.hostKey,
        ws_path: ws.path,
        ws_id: ws.id,
        ca: exit.isOwnAuthority ? ca : '',
        ...(hasReality(exit.vpnType) && relayRealityPart(ws)),
      })
    }
    return {
      description: {
        certificate,
        tunnel: { type: row.type, port: row.port, key: privateKey, exits: exitDescriptions },
      },
      secrets: [privateKey, ...exitDescriptions.flatMap(({ ws_path, ws_id }) => [ws_path, ws_id])],
      peersDigest: digest,
      exits: exits.map(({ uuid, relaySecrets: _, vpnType: _type, ...known }) => ({ uuid, known })),
      relayKeys: [],
      isOwnAuthority: false,
      reality: null,
      order: null,
      note: '',
    }
  })

/** By REALITY a tunnel recognises the server without a certificate. */
function relayRealityPart(ws: RelaySecrets) {
  const { publicKey, shortId } = relayRealityOf(ws)
  return { reality: { public: publicKey, short_id: shortId } }
}

export function servingOf(
  { row, ...subject }: Extract<Subject, { kind: 'server' }>,
  { isOwnAuthority }: ComposedRun,
  hostKey: string,
): Serving {
  const quic = quicOptionsOf(row.details)
  return {
    name: tlsName({ row, ...subject }),
    ipv4: subject.ipv4,
    port: row.port,
    sshPort: subject.sshPort,
    hostKey,
    isOwnAuthority,
    ...(subject.service > 1 && { service: subject.service }),
    ...(quic && { quic }),
  }
}
