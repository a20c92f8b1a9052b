import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from '../config.ts'
import { writeDurably } from '../db/embedded/files.ts'

export interface Login {
  readonly who: string
  readonly email: string
  readonly password: string
}

const pathIn = (dataDir: string) => join(dataDir, 'demo-logins.json')

export const writeLogins = (dataDir: string, logins: readonly Login[]): Promise<void> =>
  writeDurably(pathIn(dataDir), `${JSON.stringify(logins, null, 2)}\n`, 0o600)

export async function readLogins(dataDir: string): Promise<Login[]> {
  try {
    return JSON.parse(await readFile(pathIn(dataDir), 'utf8'))
  } catch (error) {
    throw new ConfigError(
      `The demo's logins cannot be read from ${pathIn(dataDir)} (${(error as Error).message}). Remove ${dataDir} to fill the demo again.`,
    )
  }
}
