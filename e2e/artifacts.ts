import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Pictures of every screen take a tenth of a run, so they are taken only into a named folder. */
export const arePicturesWanted = Boolean(process.env.KELID_E2E_ARTIFACTS)

/** Screenshots and traces of failures, outside the repository. */
export const artifacts = process.env.KELID_E2E_ARTIFACTS || join(tmpdir(), 'kelid-e2e')
