import type { X509Certificate } from 'node:crypto'
import type { Context, Db } from '../../context.ts'
import * as store from './foreign-hosts.store.ts'
import { nodeSubject } from './node-subject.ts'

const authoritySubject = /^CN=Kelid authority [0-9a-f]{8}$/

/** Returns the host only if the CA certificate beside it really signed its certificate. */
export function readForeignHost(certificate: X509Certificate | undefined): store.ForeignHost | undefined {
  const uuid = nodeSubject.exec(certificate?.subject ?? '')?.[1]
  const authority = certificate?.issuerCertificate
  if (!uuid || !authority || !authoritySubject.test(authority.subject)) return undefined
  return isSignedBy(certificate, authority) && isSignedBy(authority, authority)
    ? { host_uuid: uuid, authority: authority.fingerprint256.replaceAll(':', '').toLowerCase() }
    : undefined
}

function isSignedBy(certificate: X509Certificate | undefined, issuer: X509Certificate): boolean {
  try {
    return issuer.publicKey.asymmetricKeyType === 'ec' && certificate?.verify(issuer.publicKey) === true
  } catch {
    return false
  }
}

/** Agents repeat it every ten minutes. */
const keptFor = 60 * 60_000
const maxAuthorities = 5
const minute = 60_000
/** Anybody can create such a certificate; this also limits the rows of an hour. */
export const foreignHostsPerMinute = 240

export function openForeignHosts(ctx: Context): (certificate: X509Certificate | undefined) => void {
  let since = 0
  let count = 0
  return (certificate) => {
    if (!nodeSubject.test(certificate?.subject ?? '')) return
    const at = ctx.clock.now()
    if (Math.abs(at.getTime() - since) >= minute) {
      since = at.getTime()
      count = 0
    }
    count += 1
    const host = count <= foreignHostsPerMinute && readForeignHost(certificate)
    if (host)
      store
        .noteForeignHost(ctx.db, { ...host, at }, keptSince(at))
        .catch((error: Error) => ctx.log.warn({ reason: error.message }, 'cannot store a foreign host'))
  }
}

const keptSince = (now: Date) => new Date(now.getTime() - keptFor)

export const strangeAuthorities = (db: Db, now: Date): Promise<store.StrangeAuthority[]> =>
  store.listStrangeAuthorities(db, keptSince(now), maxAuthorities)
