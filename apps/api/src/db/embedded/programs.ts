import { chmod, copyFile, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Account, type Outcome, runAs } from './account.ts'
import { exists, renameDurably, sync } from './files.ts'
import { makeLinks, packageVersion } from './package.ts'
import { codeOf, EmbeddedUnavailable } from './unavailable.ts'

export interface Programs {
  initdb: string
  postgres: string
  major: string
}

const copyPrefix = 'postgres-bin-'

/** Uses the programs in the npm package, or a copy beside the data if the account cannot run them there. */
export async function preparePrograms(
  packageDir: string,
  home: string,
  account: Account,
  onProgress: (line: string) => void,
): Promise<Programs> {
  const version = await packageVersion(packageDir)
  const refusal = await tryPrograms(packageDir, account)
  if (!refusal) return programsIn(packageDir, version)
  if (refusal.code === 'ENOENT') throw cannotRun('they need a system with glibc')

  const copy = join(home, copyPrefix + version)
  if (!(await exists(copy))) {
    onProgress(`Copying PostgreSQL's programs to ${copy}.`)
    await copyPackage(packageDir, home, copy)
  }
  const second = await tryPrograms(copy, account)
  if (second) throw cannotRun(second.output || String(second.code))
  return programsIn(copy, version)
}

function programsIn(folder: string, version: string): Programs {
  const bin = join(folder, 'native/bin')
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), major: version.split('.')[0] ?? '' }
}

async function tryPrograms(folder: string, account: Account): Promise<Outcome | null> {
  try {
    await makeLinks(folder)
  } catch (error) {
    const code = codeOf(error)
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EROFS') throw error
    return { code, output: String(error) }
  }
  const outcome = await runAs(account, join(folder, 'native/bin/postgres'), ['--version'])
  return outcome.code === 0 ? null : outcome
}

function cannotRun(reason: string): EmbeddedUnavailable {
  return new EmbeddedUnavailable(
    `The embedded PostgreSQL's programs do not run on this system (${reason}): set DATABASE_URL to a PostgreSQL server.`,
  )
}

async function copyPackage(packageDir: string, home: string, copy: string): Promise<void> {
  const outdated = (await readdir(home)).filter((name) => name.startsWith(copyPrefix))
  for (const name of outdated) await rm(join(home, name), { recursive: true, force: true })
  const draft = `${copy}.draft`
  await copyTree(join(packageDir, 'native'), join(draft, 'native'))
  await chmod(draft, 0o755)
  await makeLinks(draft)
  await renameDurably(draft, copy)
}

/** Everyone may read the copy: it contains public programs and no data. */
async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  await chmod(to, 0o755)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name)
    const target = join(to, entry.name)
    if (entry.isDirectory()) await copyTree(source, target)
    if (!entry.isFile()) continue
    await copyFile(source, target)
    await chmod(target, (await stat(source)).mode & 0o100 ? 0o755 : 0o644)
    await sync(target)
  }
}
