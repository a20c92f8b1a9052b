import { createRequire } from 'node:module'
import { dirname } from 'node:path'

/** Works from the sources and from the built file. */
export const packageRoot = dirname(createRequire(import.meta.url).resolve('@kelid/api/package.json'))
