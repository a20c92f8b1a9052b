import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { TroubleKind } from '@kelid/contract'
import type { Config } from '../config.ts'
import { readCredentials } from '../credentials.ts'
import type { Check } from './trouble.ts'

const shortest = 14 * 86_400_000

export function certificateTrouble(kind: TroubleKind, pem: string, now = Date.now()) {
  const until = Date.parse(new X509Certificate(pem).validTo)
  if (until - now >= shortest) return undefined
  return { kind, detail: new Date(until).toISOString().slice(0, 10) }
}

/** The certificate that customers or strangers see. */
export const checkCertificate =
  (chain: string): Check =>
  async () =>
    certificateTrouble('certificate', await readFile(chain, 'utf8'))

export const checkOwnCertificate =
  (config: Config): Check =>
  async () => {
    const [longest] = await readCredentials(config)
    return longest && certificateTrouble('agent-certificate', longest.certificate)
  }
