import { createRequire } from 'node:module'
import { dirname } from 'node:path'

/** The folder of this package, from the sources and from the built file alike. */
export const packageRoot = dirname(createRequire(import.meta.url).resolve('@kelid/api/package.json'))
