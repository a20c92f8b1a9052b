import { open, rename } from 'node:fs/promises'

/** Atomic: a power cut leaves the old or the new content. */
export async function replaceFile(file: string, content: string, mode: number): Promise<void> {
  const draft = `${file}.new`
  const handle = await open(draft, 'w', mode)
  try {
    await handle.chmod(mode)
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(draft, file)
}
