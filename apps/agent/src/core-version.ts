import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Asks the core's program for its version again only when the file changed; empty if there is none. */
export function coreVersionOf(path: string): () => Promise<string> {
  let cached = { file: '', version: '' }
  return async () => {
    const stats = await stat(path).catch(() => null)
    const file = stats ? `${stats.mtimeMs} ${stats.size}` : ''
    if (file !== cached.file) cached = { file, version: file && (await versionOf(path)) }
    return cached.version
  }
}

async function versionOf(path: string): Promise<string> {
  const output = await run(path, ['version'], { timeout: 5_000 }).catch(() => null)
  return /\d+(?:\.\d+)+/.exec(output?.stdout ?? '')?.[0] ?? ''
}
