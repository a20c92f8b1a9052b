import { statfs } from 'node:fs/promises'
import type { Check } from './trouble.ts'

const lowAt = 0.05
/** Five percent of a large disk are plenty. */
const alwaysEnough = 1024 ** 3

interface Space {
  readonly bsize: number
  readonly blocks: number
  /** Without the blocks that are reserved for root, because agent and core are other users. */
  readonly bavail: number
  readonly files: number
  readonly ffree: number
}

export function diskTrouble(spaces: readonly { path: string; space: Space }[]) {
  const full = spaces.flatMap(({ path, space: { bsize, blocks, bavail, files, ffree } }) => {
    const free = bavail * bsize
    if (free < Math.min(blocks * bsize * lowAt, alwaysEnough))
      return `${path}: ${Math.floor(free / 1024 ** 2)} MB free`
    return files > 0 && ffree < files * lowAt ? `${path}: ${ffree} inodes free` : []
  })
  return full.length > 0 ? ({ kind: 'disk', detail: full.join(', ') } as const) : undefined
}

export const checkDisk =
  (paths: readonly string[]): Check =>
  async () => {
    const spaces = await Promise.all(
      paths.map(async (path) => ({ path, space: await statfs(path).catch(() => null) })),
    )
    const isFirst = (space: Space, index: number) =>
      spaces.findIndex((other) => JSON.stringify(other.space) === JSON.stringify(space)) === index
    return diskTrouble(
      spaces.flatMap(({ path, space }, index) => (space && isFirst(space, index) ? { path, space } : [])),
    )
  }
