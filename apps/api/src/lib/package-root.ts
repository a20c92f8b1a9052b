import { createRequire } from 'node:module'
import { dirname } from 'node:path'

export const packageRoot = dirname(createRequire(import.meta.url).resolve('@kelid/api/package.json'))
