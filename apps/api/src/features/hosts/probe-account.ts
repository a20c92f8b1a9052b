import type { Config } from '../../config.ts'
import type { Context } from '../../context.ts'
import { uuidFrom } from '../../lib/derived-uuid.ts'

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
  return { id: uuidFrom(bytes.subarray(0, 16)), secret: uuidFrom(bytes.subarray(16, 32)) }
}
