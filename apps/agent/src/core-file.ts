import { readFile } from 'node:fs/promises'
import type { VpnType } from '@kelid/contract'
import type { Users } from './reconcile.ts'
import { replaceFile } from './replace-file.ts'
import { coreAccounts } from './vpn-types.ts'

interface Inbound {
  readonly tag: string
  readonly port: number
  readonly settings: Record<string, unknown>
}

export const readInbound = async (file: string): Promise<Inbound> => JSON.parse(await readFile(file, 'utf8'))

interface InboundFiles {
  readonly inbound: string
  readonly inboundBefore: string
}

/** The second one is there while the keys of a server with REALITY change. */
export async function readInbounds({ inbound, inboundBefore }: InboundFiles): Promise<Inbound[]> {
  const before = await readInbound(inboundBefore).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  return [await readInbound(inbound), ...(before ? [before] : [])]
}

/** The core replaces the inbounds of the same tags with these, so a restarted core has all accounts. */
export const coreConfig = (vpnType: VpnType, inbounds: readonly Inbound[], users: Users): string => {
  const { client } = coreAccounts[vpnType]
  const clients = [...users].map(([email, secret]) => ({ ...client(secret), email }))
  return JSON.stringify({
    inbounds: inbounds.map((inbound) => ({ ...inbound, settings: { ...inbound.settings, clients } })),
  })
}

export function keepCoreFile(vpnType: VpnType, file: string, inbounds: () => Promise<readonly Inbound[]>) {
  return async (users: Users): Promise<boolean> => {
    const config = coreConfig(vpnType, await inbounds(), users)
    if (config === (await readFile(file, 'utf8').catch(() => ''))) return false
    await replaceFile(file, config, 0o640)
    return true
  }
}
