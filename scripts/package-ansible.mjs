import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const pinned = join(import.meta.dirname, '../packaging/ansible')
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'kelid/ansible')

/** Each is a folder in the archive; `ansible-playbook` chooses by the system's Python. */
export const ansibleSets = ['core-2.15', 'core-2.18', 'libraries']

function run(program, ...args) {
  const { status, error } = spawnSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0)
    throw new Error(
      `${program} ${args[0]} ${args[1]} failed${error ? `: ${error.message}` : ''}. The packages python3 and python3-pip are needed.`,
    )
}

/** pip compares each file with its pinned digest. Wheels for one Python contain the same sources as all others. */
function download(file, folder) {
  const kinds = ['--only-binary=:all:', '--implementation=cp', '--abi=cp311', '--abi=none']
  const platforms = ['--platform=manylinux2014_x86_64', '--platform=any', '--python-version=3.11']
  const options = ['--quiet', '--disable-pip-version-check', '--no-deps', '--require-hashes']
  run('python3', '-m', 'pip', 'download', ...options, ...kinds, ...platforms, '-d', folder, '-r', file)
}

function fetched(name) {
  const file = join(pinned, `${name}.txt`)
  const digest = createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 12)
  const folder = join(cache, `${name}-${digest}`)
  if (existsSync(folder)) return folder
  const draft = `${folder}.${process.pid}`
  mkdirSync(draft, { recursive: true })
  try {
    const wheels = join(draft, 'wheels')
    download(file, wheels)
    for (const wheel of readdirSync(wheels)) run('python3', '-m', 'zipfile', '-e', join(wheels, wheel), draft)
    rmSync(wheels, { recursive: true })
    renameSync(draft, folder)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  return folder
}

const pin = /^([a-z0-9.-]+)==(\S+) --hash=sha256:([0-9a-f]{64})$/gm

/** Compiled modules are for one Python, and the tests of Ansible are for its developers. */
const isNeeded = (file) => !/[.]so$|[/]ansible_test$/.test(file)

/** Returns the packages, for the bill of materials. */
export function fillAnsible(folder) {
  return ansibleSets.flatMap((name) => {
    cpSync(fetched(name), join(folder, name), { recursive: true, filter: isNeeded })
    const text = readFileSync(join(pinned, `${name}.txt`), 'utf8')
    return [...text.matchAll(pin)].map(([, library, version, sha256]) => ({ name: library, version, sha256 }))
  })
}
