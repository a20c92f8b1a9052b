import { X509Certificate } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { replaceFile } from './replace-file.ts'

/** What this host shows, and whom it believes. */
export interface Credentials {
  readonly ca: string
  readonly certificate: string
  readonly key: string
}

const renewedFile = (config: Config) => join(config.state, 'renewed.json')

/**
 * What the host was set up with and what was renewed since: whichever is good for longer first. The other one is for when
 * that one is refused, as after the host was given up and taken again.
 */
export async function readCredentials(config: Config): Promise<Credentials[]> {
  const [ca, certificate, key] = await Promise.all(
    [config.ca, config.certificate, config.key].map((path) => readFile(path, 'utf8')),
  )
  const given = { ca: ca ?? '', certificate: certificate ?? '', key: key ?? '' }
  const renewed = await readFile(renewedFile(config), 'utf8').then(
    (text) => JSON.parse(text) as Credentials,
    () => null,
  )
  const found = renewed && isReadable(renewed) ? [renewed, given] : [given]
  return found.sort((a, b) => endOf(b) - endOf(a))
}

/** In one file, for the three belong together. */
export async function keepRenewed(config: Config, renewed: Credentials): Promise<void> {
  if (!isReadable(renewed)) throw new Error('what was sent is no certificate')
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

/** When a third of its life is left. */
export function isDue(credentials: Credentials, now: number): boolean {
  const from = Date.parse(dates(credentials).validFrom)
  const to = endOf(credentials)
  return now > to - (to - from) / 3
}
