import { stat, writeFile } from 'node:fs/promises'

/**
 * Asks a path unit of systemd. The file's time limits repairs across restarts of the agent; a start limit of systemd
 * would end the watching for good.
 */
export async function requestRepair(file: string, atMostEvery: number, now = Date.now()): Promise<boolean> {
  const last = await stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => Number.NEGATIVE_INFINITY,
  )
  if (Math.abs(now - last) < atMostEvery) return false
  await writeFile(file, `${new Date(now).toISOString()}\n`)
  return true
}
