import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { unpackPackage } from './debian-package.mjs'

const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'kelid/prometheus')

/** Checks alert rules. It comes with Debian's package of Prometheus. */
export const promtool = join(folder, 'usr/bin/promtool')

export const preparePromtool = () =>
  existsSync(promtool) || (unpackPackage('prometheus', folder) && existsSync(promtool))
