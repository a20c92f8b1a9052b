import type { X509Certificate } from 'node:crypto'
import { type hello, type Input, Refusal } from '@kelid/contract'
import type { Context } from '../../context.ts'
import { type Issued, isRevoked, readIssued } from '../authority/authority.ts'
import { announceAccountsOf } from '../events/events.ts'
import { announceHost, findAnyHost, type HeardHost, noteHeard } from '../hosts/kinds.ts'
import { raiseAlerts } from './alerts.ts'
import { nodeSubject } from './node-subject.ts'
import { readEpoch, showsOwnAuthority } from './nodes.store.ts'
import { lockReports } from './report.store.ts'

export { hostAlerts } from './alerts.ts'
export { openForeignHosts, strangeAuthorities } from './foreign-hosts.ts'
export { createEpoch } from './nodes.store.ts'
export { refusingHosts } from './report.store.ts'
export { hostTroubles } from './troubles.ts'

export interface Node extends HeardHost, Issued {}

/** The listener has verified the signature; revocation is checked per request, because connections live long. */
export async function admitNode(ctx: Context, certificate: X509Certificate | undefined): Promise<Node> {
  const uuid = nodeSubject.exec(certificate?.subject ?? '')?.[1]
  if (!certificate || !uuid || ctx.clock.now() > new Date(certificate.validTo)) throw unauthenticated()
  return requireStill(ctx, readIssued(uuid, certificate))
}

/** After waiting, the host may have been removed or revoked. */
export async function requireStill(ctx: Context, { uuid, serial, issuedAt }: Issued): Promise<Node> {
  const [host, isTakenBack] = await Promise.all([
    findAnyHost(ctx.db, uuid),
    isRevoked(ctx.db, { uuid, serial, issuedAt }),
  ])
  if (host && !isTakenBack) return { ...host, serial, issuedAt }
  ctx.log.warn({ node: uuid, serial }, 'a node was refused')
  throw unauthenticated()
}

const unauthenticated = () => new Refusal('UNAUTHENTICATED')

/** Nodes send hello every 15 seconds; every second one is stored, and a host counts as down after four. */
const noteAfter = 25_000
/** After a longer silence administrators are notified, because the health may have changed. */
const notifyAfterSilence = 2 * noteAfter

export async function sayHello(
  ctx: Context,
  node: Node,
  { clientVersion, coreVersion, now: nodeTime, certificate: reportedCertificate }: Input<typeof hello>,
): Promise<{ epoch: string; now: string }> {
  const at = ctx.clock.now()
  const before = (age: number) => new Date(at.getTime() - age)
  const wasQuiet = !node.last_seen_at || node.last_seen_at <= before(notifyAfterSilence)
  // A tunnel only forwards the servers' certificates.
  const certificate = node.kind === 'server' ? reportedCertificate : undefined
  const report = {
    host_uuid: node.uuid,
    agent_version: clientVersion,
    core_version: coreVersion,
    clock_offset_ms: Date.parse(nodeTime) - at.getTime(),
    at,
    certificate_issuer: certificate?.issuer ?? null,
    certificate_until: certificate ? new Date(certificate.untilDate) : null,
    certificate_authority: certificate?.authority ?? null,
  }
  const isDue = !node.last_seen_at || node.last_seen_at <= before(noteAfter) || node.last_seen_at > at
  if (isDue)
    await ctx.atomically(async (tx) => {
      const wasOwn = await showsOwnAuthority(tx, node.uuid)
      const isNoted = await noteHeard(tx, node.kind, report, before(noteAfter))
      if (isNoted && wasQuiet) await announceHost(ctx, tx, node, node.state)
      // The CA is part of the accounts' links.
      if ((await showsOwnAuthority(tx, node.uuid)) !== wasOwn)
        await announceAccountsOf(ctx, tx, node.kind, node.uuid)
    })
  return { epoch: await readEpoch(ctx.db), now: at.toISOString() }
}

const anyUUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i

/** Calls of nodes have no identity field. A node that adds one for another host is refused and audited. */
export async function noteNamedHost(
  ctx: Context,
  node: HeardHost,
  body: unknown,
  refusal: unknown,
): Promise<void> {
  if (!(refusal instanceof Refusal) || refusal.type !== 'UNKNOWN_FIELD') return
  const value: unknown = Object(body)[String(refusal.parameters.field)]
  const uuid = anyUUID.exec(JSON.stringify(value) ?? '')?.[0]
  const namedHost = uuid && (await findAnyHost(ctx.db, uuid))
  if (!namedHost || namedHost.uuid === node.uuid) return
  await ctx.atomically(async (tx) => {
    await lockReports(tx, node.uuid)
    const audit = await raiseAlerts(ctx, tx, node, [
      { alert: 'foreign', count: 1, [namedHost.kind]: namedHost.uuid },
    ])
    await audit()
  })
}
