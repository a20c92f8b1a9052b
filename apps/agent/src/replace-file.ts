import { open, rename } from 'node:fs/promises'

/** The old content or the new one, whenever the power goes. */
export async function replaceFile(file: string, content: string, mode: number): Promise<void> {
  const draft = `${file}.new`
  const handle = await open(draft, 'w', mode)
  try {
    // Whatever the process's own mask is.
    await handle.chmod(mode)
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(draft, file)
}
