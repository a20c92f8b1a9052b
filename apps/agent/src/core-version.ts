import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Asks the core's program for its version again only when the file changed; empty if there is none. */
export function coreVersionOf(path: string): () => Promise<string> {
  let known = { file: '', version: '' }
  return async () => {
    const found = await stat(path).catch(() => null)
    const file = found ? `${found.mtimeMs} ${found.size}` : ''
    if (file !== known.file) known = { file, version: file && (await versionOf(path)) }
    return known.version
  }
}

async function versionOf(path: string): Promise<string> {
  const said = await run(path, ['version'], { timeout: 5_000 }).catch(() => null)
  return /\d+(?:\.\d+)+/.exec(said?.stdout ?? '')?.[0] ?? ''
}
