import { readFile } from 'node:fs/promises'
import type { VpnType } from '@kelid/contract'
import type { Users } from './core.ts'
import { replaceFile } from './replace-file.ts'
import { coreAccounts } from './vpn-types.ts'

interface Inbound {
  readonly port: number
  readonly settings: Record<string, unknown>
}

export const readInbound = async (file: string): Promise<Inbound> => JSON.parse(await readFile(file, 'utf8'))

/** The core replaces the inbound of the same tag with this one, so a restarted core has all accounts. */
export const coreConfig = (vpnType: VpnType, inbound: Inbound, users: Users): string => {
  const { client } = coreAccounts[vpnType]
  const clients = [...users].map(([email, secret]) => ({ ...client(secret), email }))
  return JSON.stringify({ inbounds: [{ ...inbound, settings: { ...inbound.settings, clients } }] })
}

export function keepCoreFile(vpnType: VpnType, file: string, inboundFile: string) {
  return async (users: Users): Promise<boolean> => {
    const config = coreConfig(vpnType, await readInbound(inboundFile), users)
    if (config === (await readFile(file, 'utf8').catch(() => ''))) return false
    await replaceFile(file, config, 0o640)
    return true
  }
}
