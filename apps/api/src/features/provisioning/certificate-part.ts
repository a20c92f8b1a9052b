import { readFile } from 'node:fs/promises'
import type { Context } from '../../context.ts'
import { currentSettings } from '../settings/settings.ts'
import { serverCertificate } from './certificates.ts'
import { dnsCertificate } from './dns-certificates.ts'
import { type AcmeOrder, keptCertificate } from './kept-certificates.ts'

interface CertificatePart {
  certificate: object
  key: string
  order: AcmeOrder | null
  isOwnAuthority: boolean
  note: string
}

/** How a server gets its certificate, by the settings. */
export async function serverCertificatePart(
  ctx: Context,
  uuid: string,
  name: string,
): Promise<CertificatePart> {
  const { source, acmeDirectory: directory } = (await currentSettings(ctx.db)).certificates
  if (source === 'acme') {
    const order = { name, directory }
    const kept = await keptCertificate(ctx, uuid, order)
    const certificate = { ...(await byAcme(ctx, name)), ...(kept && { kept }) }
    return { certificate, key: kept?.key ?? '', order, isOwnAuthority: false, note: '' }
  }
  const isOwnAuthority = source === 'own'
  const { chain, key, note } = isOwnAuthority
    ? { ...(await serverCertificate(ctx, uuid, name)), note: '' }
    : await dnsCertificate(ctx, uuid, name)
  return { certificate: { source, name, chain, key }, key, order: null, isOwnAuthority, note }
}

/** A common CA would show strangers which tunnels belong together, so without ACME each host signs its own. */
export async function siteCertificate(ctx: Context, name: string): Promise<object> {
  const { source } = (await currentSettings(ctx.db)).certificates
  return source === 'acme' ? byAcme(ctx, name) : { source: 'self', name }
}

async function byAcme(ctx: Context, name: string) {
  const { source, acmeDirectory, acmeEmail } = (await currentSettings(ctx.db)).certificates
  const file = ctx.config.KELID_ACME_CA_FILE
  const ca_bundle = file ? await readFile(file, 'utf8') : ''
  return { source, name, directory: acmeDirectory, email: acmeEmail, ca_bundle }
}
