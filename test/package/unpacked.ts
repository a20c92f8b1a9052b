import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { checksums } from '../../scripts/package-archive.mjs'
import { run } from '../dataplane/commands.ts'
import { given } from './given.ts'

const name = basename(given.archive, '.tar.xz')

/** The content of the archive, unpacked once. */
export function unpacked(): string {
  const folder = join(given.folder, 'unpacked', name)
  if (!existsSync(folder)) {
    mkdirSync(join(given.folder, 'unpacked'))
    run('tar', '-xJf', given.archive, '-C', join(given.folder, 'unpacked'))
  }
  return folder
}

type Changes = Record<string, (text: string) => string>

/** Makes the archive of another version from this one, and returns its file name. */
export function nextVersion(version: string, changes: Changes = {}): string {
  const next = `kelid-${version}-linux-${process.arch}`
  const folder = join(given.folder, 'next', next)
  cpSync(unpacked(), folder, { recursive: true, verbatimSymlinks: true })
  const all: Changes = { ...changes, VERSION: () => `${version}\n` }
  for (const [file, change] of Object.entries(all)) {
    const path = join(folder, file)
    writeFileSync(path, change(existsSync(path) ? readFileSync(path, 'utf8') : ''))
  }
  writeFileSync(join(folder, 'SHA256SUMS'), checksums(folder))
  run('tar', '-C', join(given.folder, 'next'), '-cf', join(given.folder, `${next}.tar`), next)
  rmSync(folder, { recursive: true })
  return `${next}.tar`
}
