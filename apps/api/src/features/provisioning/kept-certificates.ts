import { day } from '@kelid/contract'
import type { Context } from '../../context.ts'

import { BadCertificate, type CertificateFiles, readCertificateFiles } from './certificate-files.ts'
import { type CertificateRow, findCertificate } from './certificates.store.ts'

/** Name and ACME directory of a host's certificate. */
export interface AcmeOrder {
  name: string
  directory: string
}

/** Long enough for DNS records to follow the host, so that its timer can renew the certificate. */
const usableFor = 2 * day

/** Hosts renew when 30 days are left. */
const renewedBefore = 28 * day

/** If a host has no new certificate, or one that cannot be kept. */
export const readAgainAfter = ({ clock }: Context): Date => new Date(clock.now().getTime() + day)

const locationOf = (hostUuid: string) => `host_certificates.acme.${hostUuid}` as const

/** What the host got from this directory for this name, on this machine or an earlier one. */
export async function keptCertificate(
  ctx: Context,
  hostUuid: string,
  { name, directory }: AcmeOrder,
): Promise<CertificateFiles | null> {
  const stored = await findCertificate(ctx.db, hostUuid, 'acme')
  if (stored?.name !== name || stored.until.getTime() - ctx.clock.now().getTime() < usableFor) return null
  const { directory: from, ...files } = JSON.parse(ctx.seal.open(locationOf(hostUuid), stored.sealed))
  return from === directory ? files : null
}

/** The row for what a host answered. The host may lie, but only about its own certificate. */
export function rowOf(
  ctx: Context,
  hostUuid: string,
  { name, directory }: AcmeOrder,
  answer: string,
): CertificateRow | BadCertificate {
  try {
    const { until, ...files } = readCertificateFiles(answer, name, ctx.clock.now())
    const sealed = ctx.seal.close(locationOf(hostUuid), JSON.stringify({ ...files, directory }))
    const renew_at = new Date(Math.max(until.getTime() - renewedBefore, readAgainAfter(ctx).getTime()))
    return { host_uuid: hostUuid, use: 'acme', name, sealed, until, renew_at }
  } catch (error) {
    if (error instanceof BadCertificate) return error
    throw error
  }
}
