import type { Config } from '../../config.ts'
import type { Context } from '../../context.ts'

/** The probe fetches a page through each server, as a customer would; otherwise it only shakes hands. */
export const probesWholeWay = ({ KELID_PROBES, KELID_PROBE_URL }: Config): boolean =>
  KELID_PROBES && KELID_PROBE_URL !== ''

export interface ProbeAccount {
  readonly id: string
  readonly secret: string
}

/**
 * The account by which the probe uses a server. It is derived from the secret key, so no table has it: it is in no
 * list, costs nothing, and reports about it are ignored like those of a deleted account.
 */
export function probeAccountOf({ seal }: Pick<Context, 'seal'>, serverUUID: string): ProbeAccount {
  const bytes = seal.fingerprint('account of the probe', serverUUID)
  return { id: toUuid(bytes.subarray(0, 16)), secret: toUuid(bytes.subarray(16, 32)) }
}

function toUuid(bytes: Buffer): string {
  const hex = bytes.toString('hex')
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    variant + hex.slice(18, 20),
    hex.slice(20),
  ].join('-')
}
