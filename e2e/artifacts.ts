import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Screenshots and the traces of failures; never in the repository. */
export const artifacts = process.env.KELID_E2E_ARTIFACTS || join(tmpdir(), 'kelid-e2e')
