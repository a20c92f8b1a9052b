import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Pictures of every screen take a tenth of the time of a run: they are for the one who names a folder for them. */
export const arePicturesWanted = Boolean(process.env.KELID_E2E_ARTIFACTS)

/** Screenshots and the traces of failures; never in the repository. */
export const artifacts = process.env.KELID_E2E_ARTIFACTS || join(tmpdir(), 'kelid-e2e')
