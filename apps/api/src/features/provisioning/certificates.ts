import { X509Certificate } from 'node:crypto'
import { day } from '@kelid/contract'
import type { Context } from '../../context.ts'
import {
  isRevoked,
  issueNodeCertificate,
  issueServerCertificate,
  readIssued,
} from '../authority/authority.ts'
import { provisionAgain } from '../hosts/relays.ts'
import { currentSettings } from '../settings/settings.ts'
import {
  type CertificateUse,
  findCertificate,
  keepCertificate,
  serversToRenew,
} from './certificates.store.ts'

const replacedBefore = 30 * day

/** Reuses the host's certificate unless it expires soon, has another name or was revoked. */
async function lasting<T extends object>(
  ctx: Context,
  hostUuid: string,
  use: CertificateUse,
  name: string,
  issue: () => Promise<T>,
  pemOf: (issued: T) => string,
): Promise<T> {
  const read = (issued: T) => new X509Certificate(pemOf(issued))
  const location = `host_certificates.${use}.${hostUuid}` as const
  const stored = await findCertificate(ctx.db, hostUuid, use)
  const lasts = stored?.name === name && stored.until.getTime() - ctx.clock.now().getTime() > replacedBefore
  const current: T | null = lasts ? JSON.parse(ctx.seal.open(location, stored.sealed)) : null
  if (current && !(use === 'node' && (await isRevoked(ctx.db, readIssued(hostUuid, read(current))))))
    return current
  const issued = await issue()
  const until = new Date(read(issued).validTo)
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

/**
 * Certificates of our CA and by DNS-01 are not renewed on the host, as with ACME, but by a provisioning run. After a
 * renewal on the host a run reads the new one.
 */
export async function renewServerCertificates(ctx: Context): Promise<number> {
  const now = ctx.clock.now()
  const { source } = (await currentSettings(ctx.db)).certificates
  const end = new Date(now.getTime() + replacedBefore)
  const due = await serversToRenew(ctx.db, { end, now, source })
  let queued = 0
  for (const uuid of due) queued += await provisionAgain(ctx, { kind: 'server', uuid })
  return queued
}
