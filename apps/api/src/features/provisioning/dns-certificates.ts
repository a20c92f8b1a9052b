import { X509Certificate } from 'node:crypto'
import { day } from '@kelid/contract'
import type { Context } from '../../context.ts'
import { dnsCredentials } from '../settings/dns-provider.ts'
import { currentSettings } from '../settings/settings.ts'
import { BadCertificate, type CertificateFiles, readCertificateFiles } from './certificate-files.ts'
import { findCertificate, keepCertificate } from './certificates.store.ts'
import * as store from './issuances.store.ts'
import type { AcmeOrder } from './kept-certificates.ts'
import { type AcmeAccount, findLego, IssuanceFailed, issueByLego } from './lego.ts'
import { issuance } from './sentences.ts'

const minute = 60_000
const hour = 60 * minute
/** After a failed issuance; the last one applies from then on. Authorities limit failures per hour. */
export const issuancePauses = [minute, 5 * minute, 15 * minute, hour, 6 * hour]

const locationOf = (hostUuid: string) => `host_certificates.dns.${hostUuid}` as const

/**
 * The host's certificate by DNS-01, a new one if it is due. While a new one cannot be issued, the current one serves,
 * and `note` says why.
 */
export async function dnsCertificate(
  ctx: Context,
  hostUuid: string,
  name: string,
): Promise<CertificateFiles & { note: string }> {
  const now = ctx.clock.now()
  const { acmeDirectory } = (await currentSettings(ctx.db)).certificates
  const stored = await findCertificate(ctx.db, hostUuid, 'dns')
  const isValid = stored?.name === name && stored.until > now
  const kept = isValid ? JSON.parse(ctx.seal.open(locationOf(hostUuid), stored.sealed)) : null
  const current: CertificateFiles | null = kept && { chain: kept.chain, key: kept.key }
  const isDue = !stored?.renew_at || stored.renew_at <= now || kept?.directory !== acmeDirectory
  if (current && !isDue) return { ...current, note: '' }
  try {
    return { ...(await issueUnlessPaused(ctx, hostUuid, name)), note: '' }
  } catch (error) {
    if (!(error instanceof IssuanceFailed)) throw error
    if (!current) throw new IssuanceFailed(issuance.failed(error.message))
    return { ...current, note: issuance.old(error.message) }
  }
}

async function issueUnlessPaused(ctx: Context, hostUuid: string, name: string): Promise<CertificateFiles> {
  const before = await store.findFailedIssuance(ctx.db, hostUuid)
  if (before && before.retry_at > ctx.clock.now()) throw new IssuanceFailed(issuance.paused(before.retry_at))
  const failures = before?.failures ?? 0
  const pause = issuancePauses[Math.min(failures, issuancePauses.length - 1)] ?? 0
  try {
    const files = await issue(ctx, hostUuid, name)
    await store.forgetFailedIssuance(ctx.db, hostUuid)
    return files
  } catch (error) {
    const retry_at = new Date(ctx.clock.now().getTime() + pause)
    await store.noteFailedIssuance(ctx.db, { host_uuid: hostUuid, failures: failures + 1, retry_at })
    throw error
  }
}

async function issue(ctx: Context, hostUuid: string, name: string): Promise<CertificateFiles> {
  const { acmeDirectory: directory, acmeEmail: email } = (await currentSettings(ctx.db)).certificates
  const dns = await dnsCredentials(ctx)
  if (!dns) throw new IssuanceFailed(issuance.noProvider)
  const lego = findLego(ctx.config)
  if (!lego) throw new IssuanceFailed(issuance.noLego)
  const order = { name, directory, email, dns }
  const location = `acme_accounts.${encodeURIComponent(directory)}.${email}` as const
  const stored = await store.findAcmeAccount(ctx.db, directory, email)
  const known: AcmeAccount | null = stored ? JSON.parse(ctx.seal.open(location, stored.sealed)) : null
  try {
    const { files, account } = await issueByLego(ctx.config, lego, order, known)
    const sealed = ctx.seal.close(location, JSON.stringify(account))
    if (!known) await store.keepAcmeAccount(ctx.db, { directory, email, sealed })
    return await keep(ctx, hostUuid, order, files)
  } catch (error) {
    if (error instanceof BadCertificate) throw new IssuanceFailed(issuance.unusable(error.message))
    if (error instanceof IssuanceFailed && /accountDoesNotExist/.test(error.message))
      await store.forgetAcmeAccount(ctx.db, directory, email)
    throw error
  }
}

async function keep(
  ctx: Context,
  hostUuid: string,
  { name, directory }: AcmeOrder,
  answer: string,
): Promise<CertificateFiles> {
  const { until, ...files } = readCertificateFiles(answer, name, ctx.clock.now())
  const from = new Date(new X509Certificate(files.chain).validFrom)
  // Authorities also issue certificates that are valid for days.
  const early = Math.min(30 * day, (until.getTime() - from.getTime()) / 3)
  const sealed = ctx.seal.close(locationOf(hostUuid), JSON.stringify({ ...files, directory }))
  const renew_at = new Date(until.getTime() - early)
  await keepCertificate(ctx.db, { host_uuid: hostUuid, use: 'dns', name, sealed, until, renew_at })
  return files
}
