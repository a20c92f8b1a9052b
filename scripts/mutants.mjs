import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { safeguards } from './safeguards.mjs'

/**
 * Mutation tests: removes each safeguard from a copy of the tree, and its tests must fail. An argument
 * (`node scripts/mutants.mjs lock`) selects safeguards by name.
 */
const [, , word = ''] = process.argv
const mutants = safeguards.filter(({ safeguard }) => safeguard.includes(word))
if (mutants.length === 0) throw new Error(`no safeguard has "${word}" in its name`)

const root = join(import.meta.dirname, '..')
const copy = mkdtempSync(join(tmpdir(), 'kelid-mutants-'))
/** A workspace has its own packages if it needs other versions. */
const installed = ['.', 'apps/agent', 'apps/api', 'packages/contract']
  .map((workspace) => join(workspace, 'node_modules'))
  .filter((folder) => existsSync(join(root, folder)))

function run(tests) {
  const { status } = spawnSync(join(root, 'node_modules/.bin/vitest'), ['run', tests], {
    cwd: copy,
    stdio: 'ignore',
    env: { ...process.env, DATABASE_URL: '' },
  })
  return status === 0
}

let survivors = 0
try {
  execFileSync('git', ['-C', root, 'worktree', 'add', '--detach', '--quiet', '--force', copy])
  for (const folder of installed) symlinkSync(join(root, folder), join(copy, folder))
  for (const tests of new Set(mutants.map((mutant) => mutant.tests)))
    if (!run(tests)) throw new Error(`${tests} fails without any change, so it proves nothing`)
  for (const { safeguard, file, from, to, tests } of mutants) {
    const path = join(copy, file)
    const original = readFileSync(path, 'utf8')
    const mutated = original.replace(from, to)
    if (mutated === original) throw new Error(`${file} no longer contains "${safeguard}"`)
    writeFileSync(path, mutated)
    const isCaught = !run(tests)
    writeFileSync(path, original)
    console.log(`${isCaught ? 'caught  ' : 'SURVIVED'}  ${safeguard}`)
    if (!isCaught) survivors += 1
  }
} finally {
  for (const folder of installed) rmSync(join(copy, folder), { force: true })
  execFileSync('git', ['-C', root, 'worktree', 'remove', '--force', copy])
  rmSync(copy, { recursive: true, force: true })
}
console.log(`${mutants.length - survivors} of ${mutants.length} made the tests fail`)
process.exit(survivors === 0 ? 0 : 1)
