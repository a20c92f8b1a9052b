import { createHash } from 'node:crypto'
import { access, constants, lchown, lstat, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Account, canEnter } from './account.ts'
import { codeOf, EmbeddedUnavailable } from './unavailable.ts'

/** Part of the socket's file name; there is no TCP port. */
export const port = 5432

// The kernel limits a socket's path to 107 bytes on Linux and 103 on macOS.
const longestPath = 103

/** A short path, because the data folder's may exceed the limit. */
export async function chooseSocketDir(cluster: string, account: Account): Promise<string> {
  const name = `kelid-${createHash('sha256').update(cluster).digest('hex').slice(0, 12)}`
  for (const base of [tmpdir(), '/tmp']) {
    const isShort = Buffer.byteLength(join(base, name, `.s.PGSQL.${port}`)) <= longestPath
    if (isShort && (await isWritable(base)) && (await canEnter(account, base))) return join(base, name)
  }
  throw new EmbeddedUnavailable(
    `PostgreSQL needs a temporary folder with a short path that user ${account?.name ?? process.getuid?.()} can enter: set TMPDIR to one, or set DATABASE_URL.`,
  )
}

function isWritable(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK).then(
    () => true,
    () => false,
  )
}

/** Others can write to the temporary folder, so an existing folder must be ours and closed to others. */
export async function prepareSocketDir(path: string, account: Account): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((error) => {
    if (codeOf(error) !== 'EEXIST') throw error
  })
  if (account && (await lstat(path)).uid === process.getuid?.()) await lchown(path, account.uid, account.gid)
  const stats = await lstat(path)
  const isOurs = stats.uid === (account?.uid ?? process.getuid?.())
  if (stats.isDirectory() && isOurs && (stats.mode & 0o077) === 0) return
  throw new EmbeddedUnavailable(
    `${path}, where PostgreSQL's socket belongs, is not a private folder of the user who runs it: remove it and start again.`,
  )
}
