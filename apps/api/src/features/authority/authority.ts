import { createPrivateKey, randomBytes, X509Certificate } from 'node:crypto'
import { controlPlaneSubject, day, Refusal } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import * as store from './authority.store.ts'
import { keyPem, newKeyPair, type Signer, signCertificate, type Use } from './certificate.ts'
import { isServerName, listenerName } from './control-plane-names.ts'

const authorityLife = 3_653 * day
export const certificateLife = 90 * day
/** A host with a slow clock must accept a new certificate. */
const backdating = day
/** Maximum clock difference between two machines that issue certificates, as before and after a restore. */
const clocksApart = 5 * 60_000
const nameMax = 64
const keyLocation = 'authority.key.1'

export const nodeName = (uuid: string): string => `node:${uuid}`

export async function createAuthority(ctx: Context): Promise<void> {
  if (await store.hasAuthority(ctx.db)) return
  const { publicKey, privateKey } = newKeyPair()
  const now = ctx.clock.now()
  const { from, until } = lifeFrom(now, authorityLife)
  // Each installation's CA has its own name, otherwise a program that trusts two might try the wrong key.
  const name = `Kelid authority ${randomBytes(4).toString('hex')}`
  const { pem } = signCertificate(
    { name, key: privateKey },
    { name, use: 'authority', publicKey, from, until },
  )
  const key = ctx.seal.close(keyLocation, keyPem(privateKey))
  await store.insertAuthority(ctx.db, { id: 1, certificate: pem, key, created_at: now })
}

const lifeFrom = (now: Date, life: number) => ({
  from: new Date(now.getTime() - backdating),
  until: new Date(now.getTime() + life),
})

interface Authority extends Signer {
  readonly certificate: string
  readonly until: Date
}

async function openAuthority(ctx: Context): Promise<Authority> {
  await createAuthority(ctx)
  const row = await store.readAuthority(ctx.db)
  const { subject, validTo } = new X509Certificate(row.certificate)
  return {
    name: subject.replace(/^CN=/, ''),
    key: createPrivateKey(ctx.seal.open(keyLocation, row.key)),
    certificate: row.certificate,
    until: new Date(validTo),
  }
}

export async function authorityCertificate(ctx: Context): Promise<string> {
  await createAuthority(ctx)
  return (await store.readAuthority(ctx.db)).certificate
}

/** No certificate outlives the CA. */
async function issue(ctx: Context, use: Use, name: string, hosts: readonly string[] = []) {
  const authority = await openAuthority(ctx)
  const { publicKey, privateKey } = newKeyPair()
  const { from, until: requestedEnd } = lifeFrom(ctx.clock.now(), certificateLife)
  const until = requestedEnd < authority.until ? requestedEnd : authority.until
  const { pem, serial } = signCertificate(authority, { name, use, publicKey, from, until, hosts })
  return { certificate: pem, serial, until, key: keyPem(privateKey), ca: authority.certificate }
}

/** Earlier certificates stay valid: if the run fails afterwards, the host still uses the old one. */
export const issueNodeCertificate = (ctx: Context, uuid: string): Promise<NodeIdentity> =>
  issueTo(ctx, ctx.db, uuid, false)

interface NodeIdentity {
  ca: string
  certificate: string
  key: string
}

async function issueTo(ctx: Context, db: Db, uuid: string, isRenewal: boolean): Promise<NodeIdentity> {
  const { ca, certificate, key, serial, until } = await issue(ctx, 'client', nodeName(uuid))
  const row = { serial, host_uuid: uuid, issued_at: ctx.clock.now(), until, is_renewal: isRenewal }
  await store.insertCertificate(db, row)
  return { ca, certificate, key }
}

const renewalsApart = 60 * 60_000

export const renewNodeCertificate = (
  ctx: Context,
  presented: store.IssuedCertificate,
): Promise<NodeIdentity> =>
  ctx.atomically(async (tx) => {
    const { uuid } = presented
    const now = ctx.clock.now().getTime()
    const last = await store.lastRenewal(tx, uuid, new Date(now - renewalsApart))
    if (await store.isRevoked(tx, presented)) throw new Refusal('UNAUTHENTICATED')
    if (last) {
      const seconds = Math.ceil((last.getTime() + renewalsApart - now) / 1000)
      throw new Refusal('TOO_MANY_ATTEMPTS', { seconds })
    }
    return issueTo(ctx, tx, uuid, true)
  })

interface ServerIdentity {
  chain: string
  key: string
  ca: string
}

async function issueFor(ctx: Context, subject: string, host: string): Promise<ServerIdentity> {
  const { ca, certificate, key } = await issue(ctx, 'server', subject, [host])
  return { chain: certificate + ca, key, ca }
}

export async function issueServerCertificate(ctx: Context, host: string): Promise<ServerIdentity> {
  if (!isServerName(ctx.config, host)) throw new Refusal('CONTROL_PLANE_NAME', { name: host })
  return issueFor(ctx, host.length <= nameMax ? host : 'server', host)
}

/** Agents require this subject, which no server's certificate can have. */
export const issueListenerCertificate = (ctx: Context): Promise<ServerIdentity> =>
  issueFor(ctx, controlPlaneSubject, listenerName(ctx.config))

export { isControlPlaneName } from './control-plane-names.ts'

/** Runs in the transaction that removes the host and takes effect at the next request. */
export function revokeNodeCertificates(ctx: Context, tx: Db, uuid: string): Promise<number> {
  const now = ctx.clock.now()
  return store.revokeCertificates(tx, uuid, now, new Date(now.getTime() + clocksApart))
}

export { type IssuedCertificate as Issued, isRevoked } from './authority.store.ts'

export const readIssued = (
  uuid: string,
  { serialNumber, validFrom }: X509Certificate,
): store.IssuedCertificate => ({
  uuid,
  serial: serialNumber,
  issuedAt: new Date(Date.parse(validFrom) + backdating),
})

/** Expired certificates are refused without a record. */
export function purgeCertificates(ctx: Context): Promise<void> {
  const now = ctx.clock.now().getTime()
  return store.forgetEnded(ctx.db, new Date(now - day), new Date(now - certificateLife - day))
}
