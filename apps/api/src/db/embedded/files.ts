import { chmod, mkdir, open, readFile, rename, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf } from './unavailable.ts'

/** Sets the mode regardless of the umask; an existing folder stays unchanged. */
export async function makeFolder(path: string, mode: number): Promise<void> {
  const createdFolder = await mkdir(path, { recursive: true })
  if (createdFolder) await chmod(path, mode)
}

export async function exists(path: string): Promise<boolean> {
  return (await orNull(stat(path))) !== null
}

export function readText(path: string): Promise<string | null> {
  return orNull(readFile(path, 'utf8'))
}

/** Atomic: a power cut leaves the old or the new content. */
export async function writeDurably(path: string, text: string, mode: number): Promise<void> {
  const draft = `${path}.draft`
  const file = await open(draft, 'w', mode)
  await file.writeFile(text)
  await file.sync()
  await file.close()
  await renameDurably(draft, path)
}

export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to)
  await sync(dirname(to))
}

export async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
}

async function orNull<T>(pending: Promise<T>): Promise<T | null> {
  return pending.catch((error) => {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  })
}
