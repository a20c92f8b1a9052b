import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from './package-root.ts'

/** How the operator calls the tool: only an archive has this file, and an installation from it has the command. */
export const program = existsSync(join(packageRoot, '../../SHA256SUMS')) ? 'kelid' : 'npm run kelid --'
