import { readFile } from 'node:fs/promises'
import type { Protocol, Users } from './core.ts'
import { replaceFile } from './replace-file.ts'

interface Inbound {
  readonly protocol: Protocol
  readonly settings: Record<string, unknown>
}

/** The inbound of customers as the host was set up with it; null on a host that has none. */
export async function readInbound(file: string): Promise<Inbound | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  return text === null ? null : (JSON.parse(text) as Inbound)
}

/**
 * The core reads this file after its own and takes the inbound in it for the one of the same tag: a core that is restarted
 * has everybody from its first moment on.
 */
export const coreConfig = (inbound: Inbound, users: Users): string => {
  const clients = [...users].map(([email, secret]) =>
    inbound.protocol === 'trojan' ? { password: secret, email } : { auth: secret, email },
  )
  return JSON.stringify({ inbounds: [{ ...inbound, settings: { ...inbound.settings, clients } }] })
}

/** Written when it is another one, or when somebody took it away. */
export function keepCoreFile(file: string, inboundFile: string) {
  return async (users: Users): Promise<boolean> => {
    const inbound = await readInbound(inboundFile)
    if (!inbound) return false
    const config = coreConfig(inbound, users)
    if (config === (await readFile(file, 'utf8').catch(() => ''))) return false
    await replaceFile(file, config, 0o640)
    return true
  }
}
