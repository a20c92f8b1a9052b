import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from '../config.ts'

/** Reads the key from the environment, or from a file that only its owner can read. */
export async function loadSecretKey(dataDir: string, fromEnvironment: string): Promise<Buffer> {
  if (fromEnvironment) return Buffer.from(fromEnvironment, 'hex')
  const path = join(dataDir, 'secret.key')
  await mkdir(dataDir, { recursive: true })
  await createOnce(path)
  const { mode } = await stat(path)
  if (process.platform !== 'win32' && mode & 0o077)
    throw new ConfigError(`The secret key ${path} can be read by others; make it yours alone with chmod 600.`)
  const key = Buffer.from((await readFile(path, 'utf8')).trim(), 'hex')
  if (key.length !== 32)
    throw new ConfigError(`The secret key ${path} is damaged: it must hold 64 hexadecimal digits.`)
  return key
}

/** Writes a temporary file and links it, so that two processes starting at once agree on one key. */
async function createOnce(path: string): Promise<void> {
  if (await stat(path).catch(() => null)) return
  const draft = `${path}.${process.pid}`
  const file = await open(draft, 'w', 0o600)
  await file.writeFile(`${randomBytes(32).toString('hex')}\n`)
  await file.sync()
  await file.close()
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(draft)
}
