import type { Ended } from './commands.ts'

/** Megabits a second of many downloads together, their slow start included, and how many got nothing. */
export async function rateOf(
  downloads: number,
  seconds: number,
  download: (...args: string[]) => Promise<Ended>,
) {
  const output = ['--silent', '--output', '/dev/null', '--max-time', String(seconds)]
  const all = await Promise.all(
    Array.from({ length: downloads }, () => download(...output, '--write-out', '%{size_download}')),
  )
  const sizes = all.map(({ stdout }) => Number(stdout))
  return {
    'Mbit/s': Math.round((sizes.reduce((sum, size) => sum + size, 0) * 8) / 1e6 / seconds),
    'without a byte': sizes.filter((size) => size === 0).length,
  }
}
