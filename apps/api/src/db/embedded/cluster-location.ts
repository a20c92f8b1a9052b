import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Account, accountOf, canEnter, chooseAccount, isRoot } from './account.ts'
import { exists, makeFolder, readText, writeDurably } from './files.ts'
import { EmbeddedUnavailable } from './unavailable.ts'

export interface ClusterLocation {
  home: string
  cluster: string
  account: Account
}

const pointerName = 'postgres-is-elsewhere.txt'

export async function findCluster(
  dataDir: string,
  elsewhere: string,
  onProgress: (line: string) => void,
): Promise<ClusterLocation> {
  const home = await homeOf(dataDir)
  const cluster = join(home, 'postgres')
  if (await exists(cluster)) return { home, cluster, account: await ownerOf(home, cluster) }

  const account = await chooseAccount()
  if (!account || (await canEnter(account, home))) return { home, cluster, account }
  const other = await moveOut(dataDir, elsewhere, account)
  onProgress(`The database is kept in ${other}, because user ${account.name} cannot enter ${dataDir}.`)
  return findCluster(dataDir, elsewhere, onProgress)
}

export async function homeOf(dataDir: string): Promise<string> {
  const pointer = join(dataDir, pointerName)
  const home = (await readText(pointer))?.split('\n')[0]
  if (!home) return dataDir
  if (await exists(home)) return home
  throw new EmbeddedUnavailable(
    `The database is missing: ${pointer} says it is in ${home}. Bring that folder back, or remove the file to begin with an empty database.`,
  )
}

/** PostgreSQL serves only files of its own user, so a cluster keeps its owner even if the default account changes. */
async function ownerOf(home: string, cluster: string): Promise<Account> {
  const owner = await stat(cluster)
  if (owner.uid !== process.getuid?.()) {
    const account = await accountOf(owner)
    if (account && (await canEnter(account, home))) return account
    throw new EmbeddedUnavailable(
      `The database in ${cluster} belongs to user ${account?.name ?? owner.uid}, who cannot be used here: start Kelid as the user it was first started as, or set KELID_DATA_DIR to another folder.`,
    )
  }
  if (!isRoot()) return null
  throw new EmbeddedUnavailable(
    `The database in ${cluster} belongs to root, as which PostgreSQL refuses to run: give the folder to its former owner again (chown -R postgres ${cluster}).`,
  )
}

async function moveOut(dataDir: string, elsewhere: string, account: NonNullable<Account>): Promise<string> {
  const home = join(elsewhere, createHash('sha256').update(dataDir).digest('hex').slice(0, 12))
  await makeFolder(elsewhere, 0o755)
  await makeFolder(home, 0o711)
  if (!(await canEnter(account, home)))
    throw new EmbeddedUnavailable(
      `PostgreSQL refuses to run as root, and user ${account.name} can enter neither ${dataDir} nor ${elsewhere}: set KELID_DATA_DIR to a folder that user can enter, or set DATABASE_URL.`,
    )
  const text = `${home}\nThe database of this data folder is kept in the folder above, because user ${account.name},\nwho runs PostgreSQL, cannot enter this one. Keep this file: without it the database is not found.\n`
  await writeDurably(join(dataDir, pointerName), text, 0o644)
  return home
}
