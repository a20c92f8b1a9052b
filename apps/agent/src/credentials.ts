import { X509Certificate } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { replaceFile } from './replace-file.ts'

export interface Credentials {
  readonly ca: string
  readonly certificate: string
  readonly key: string
}

const renewedFile = (config: Config) => join(config.state, 'renewed.json')

/**
 * The provisioned and the renewed credentials, the longer-lived first. The other pair is the fallback if the first is
 * refused, for example after the host was removed and added again.
 */
export async function readCredentials(config: Config): Promise<Credentials[]> {
  const [ca, certificate, key] = await Promise.all(
    [config.ca, config.certificate, config.key].map((path) => readFile(path, 'utf8')),
  )
  const provisioned = { ca: ca ?? '', certificate: certificate ?? '', key: key ?? '' }
  const renewed = await readFile(renewedFile(config), 'utf8').then(
    (text) => JSON.parse(text) as Credentials,
    () => null,
  )
  const candidates = renewed && isReadable(renewed) ? [renewed, provisioned] : [provisioned]
  return candidates.sort((a, b) => endOf(b) - endOf(a))
}

/** One file, because the three must match. */
export async function keepRenewed(config: Config, renewed: Credentials): Promise<void> {
  if (!isReadable(renewed)) throw new Error('the response contains no certificate')
  await mkdir(config.state, { recursive: true, mode: 0o700 })
  await replaceFile(renewedFile(config), JSON.stringify(renewed), 0o600)
}

const dates = ({ certificate }: Credentials) => new X509Certificate(certificate)
const endOf = (credentials: Credentials) => Date.parse(dates(credentials).validTo)

const isReadable = (credentials: Credentials): boolean => {
  try {
    return Number.isFinite(endOf(credentials))
  } catch {
    return false
  }
}

export function isDue(credentials: Credentials, now: number): boolean {
  const from = Date.parse(dates(credentials).validFrom)
  const to = endOf(credentials)
  return now > to - (to - from) / 3
}
