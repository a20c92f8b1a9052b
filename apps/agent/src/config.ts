import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Where the control plane is, and the files by which the two know each other: beside this one, unless it says where. */
export interface Config {
  readonly url: string
  readonly ca: string
  readonly certificate: string
  readonly key: string
  /** The core's program, which says its own version; there may be none. */
  readonly core: string
}

const usualCore = '/usr/local/lib/kelid/core'

/** Throws a sentence that names the file and what is wrong with it. */
export async function readConfig(path: string): Promise<Config> {
  const text = await readFile(path, 'utf8')
  const found: unknown = JSON.parse(text)
  const fieldOf = (name: keyof Config, usual?: string): string => {
    const value = (found as Record<string, unknown> | null)?.[name] ?? usual
    if (typeof value === 'string' && value !== '') return value
    throw new Error(`${path} must say "${name}"`)
  }
  const url = fieldOf('url')
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:')
    throw new Error(`"url" in ${path} must begin with https://`)
  const beside = (name: string) => join(dirname(path), `${name}.pem`)
  return {
    url,
    ca: fieldOf('ca', beside('ca')),
    certificate: fieldOf('certificate', beside('certificate')),
    key: fieldOf('key', beside('key')),
    core: fieldOf('core', usualCore),
  }
}
