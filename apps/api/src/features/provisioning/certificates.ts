import { X509Certificate } from 'node:crypto'
import { day } from '@kelid/contract'
import type { Context } from '../../context.ts'
import { issueNodeCertificate, issueServerCertificate } from '../authority/authority.ts'
import { type CertificateUse, findCertificate, keepCertificate } from './certificates.store.ts'

/** So long before its end a certificate is replaced. */
const replacedBefore = 30 * day

/** The one that the host was given, or a new one where that nears its end or is for another name. */
async function lasting<T extends object>(
  ctx: Context,
  hostUuid: string,
  use: CertificateUse,
  name: string,
  issue: () => Promise<T>,
  pemOf: (issued: T) => string,
): Promise<T> {
  const location = `host_certificates.${use}.${hostUuid}` as const
  const kept = await findCertificate(ctx.db, hostUuid, use)
  const isGood = kept?.name === name && kept.until.getTime() - ctx.clock.now().getTime() > replacedBefore
  if (isGood) return JSON.parse(ctx.seal.open(location, kept.sealed))
  const issued = await issue()
  const until = new Date(new X509Certificate(pemOf(issued)).validTo)
  const sealed = ctx.seal.close(location, JSON.stringify(issued))
  await keepCertificate(ctx.db, { host_uuid: hostUuid, use, name, sealed, until })
  return issued
}

export const nodeCertificate = (ctx: Context, hostUuid: string) =>
  lasting(
    ctx,
    hostUuid,
    'node',
    hostUuid,
    () => issueNodeCertificate(ctx, hostUuid),
    ({ certificate }) => certificate,
  )

export const serverCertificate = (ctx: Context, hostUuid: string, name: string) =>
  lasting(
    ctx,
    hostUuid,
    'server',
    name,
    () => issueServerCertificate(ctx, name),
    ({ chain }) => chain,
  )
