import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'kelid')
const folder = join(cache, 'programs')
const built = await readdir(folder).catch(() => [])

/** The core and an app of customers that knows nothing of us, where they have been built; empty otherwise. */
const programOf = (name: string): string => {
  const found = built.find((file) => file.startsWith(`${name}-`))
  return found ? join(folder, found) : ''
}
export const xray = programOf('xray')
export const singBox = programOf('sing-box')
export const mihomo = programOf('mihomo')

export const promtool = join(cache, 'prometheus/usr/bin/promtool')

const isInstalled = (name: string): boolean =>
  (process.env.PATH ?? '').split(':').some((path) => existsSync(join(path, name)))

/** Connections are ended and packets dropped by the kernel, for root alone. */
export const leftOut = [
  ...(xray ? [] : ['no core has been built on this machine']),
  ...(singBox ? [] : ['no sing-box has been built on this machine']),
  ...(isInstalled('ansible') ? [] : ['ansible is not installed']),
  ...(process.getuid?.() === 0 ? [] : ['not root']),
].join(', ')
