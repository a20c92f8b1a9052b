import type { Context } from '../../context.ts'
import type { QuicOptions, ServerDetails } from '../../db/schema.ts'

/** What customers' apps need. */
export interface Quic {
  /** Of Salamander; '' without obfuscation. */
  obfuscation: string
  hopPorts: string
}

export const noQuic: Quic = { obfuscation: '', hopPorts: '' }

/** What an administrator wants; undefined without options. */
export const quicOptionsOf = ({
  serverObfuscated: isObfuscated = false,
  serverHopPorts: hopPorts = '',
}: ServerDetails): QuicOptions | undefined =>
  isObfuscated || hopPorts ? { isObfuscated, hopPorts } : undefined

/** All customers of a server share the password, so it is derived and not stored. */
export const quicOf = (
  { seal }: Pick<Context, 'seal'>,
  serverUUID: string,
  options: QuicOptions | null | undefined,
): Quic =>
  options
    ? {
        obfuscation: options.isObfuscated
          ? seal.fingerprint('obfuscation', serverUUID).toString('hex').slice(0, 32)
          : '',
        hopPorts: options.hopPorts,
      }
    : noQuic
