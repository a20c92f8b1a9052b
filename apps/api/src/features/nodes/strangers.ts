import type { X509Certificate } from 'node:crypto'
import { Refusal } from '@kelid/contract'
import type { Context, Db } from '../../context.ts'
import { nodeSubject } from './node-subject.ts'
import * as store from './strangers.store.ts'

/** A host that another authority vouches for, as far as a certificate can say so. */
export interface Stranger {
  readonly uuid: string
  /** SHA-256 of that authority's certificate, in hexadecimal. */
  readonly authority: string
}

const authoritySubject = /^CN=Kelid authority [0-9a-f]{8}$/

/** Who shows a certificate of a node and, beside it, of the authority that really signed it. */
export function readStranger(certificate: X509Certificate | undefined): Stranger | undefined {
  const uuid = nodeSubject.exec(certificate?.subject ?? '')?.[1]
  const authority = certificate?.issuerCertificate
  if (!uuid || !authority || !authoritySubject.test(authority.subject)) return undefined
  return isSignedBy(certificate, authority) && isSignedBy(authority, authority)
    ? { uuid, authority: authority.fingerprint256.replaceAll(':', '').toLowerCase() }
    : undefined
}

function isSignedBy(certificate: X509Certificate | undefined, by: X509Certificate): boolean {
  try {
    return by.publicKey.asymmetricKeyType === 'ec' && certificate?.verify(by.publicKey) === true
  } catch {
    return false
  }
}

/** Agents knock every ten minutes; whoever has not for an hour has found home, or is off. */
const rememberedFor = 60 * 60_000
const authoritiesShown = 5
/** What anybody can make up must not fill a disk. */
export const knocksMax = 300
const perMinute = 240
const minute = 60_000

/** One for each process: beyond so many in a minute none is looked at. */
export function openKnocks(): (now: number) => boolean {
  let began = 0
  let taken = 0
  return (now) => {
    if (now < began || now >= began + minute) {
      began = now
      taken = 0
    }
    taken += 1
    return taken <= perMinute
  }
}

export async function noteStranger(ctx: Context, mayKnock: (now: number) => boolean, who: Stranger) {
  const at = ctx.clock.now()
  if (!mayKnock(at.getTime())) throw new Refusal('TOO_MANY_ATTEMPTS', { seconds: minute / 1000 })
  // One of our own, whose certificate has ended.
  if (await store.isOwnAuthority(ctx.db, who.authority)) throw new Refusal('UNAUTHENTICATED')
  await ctx.atomically((tx) => store.noteKnock(tx, who, at, rememberedSince(at), knocksMax))
}

const rememberedSince = (now: Date) => new Date(now.getTime() - rememberedFor)

export const strangeAuthorities = (db: Db, now: Date): Promise<store.StrangeAuthority[]> =>
  store.listStrangeAuthorities(db, rememberedSince(now), authoritiesShown)
