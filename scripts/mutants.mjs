import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Tests of the tests: each of these takes a safeguard out of a copy of the tree, and its tests must turn red. With a word
 * (`node scripts/mutants.mjs lock`) only those whose safeguard has it.
 */
const all = [
  {
    safeguard: 'the lock on the user who pays',
    file: 'apps/api/src/features/credit/payer.store.ts',
    from: ' FOR NO KEY UPDATE',
    to: '',
    tests: 'apps/api/test/faults/races-credit.test.ts',
  },
  {
    safeguard: 'the ownership clause',
    file: 'apps/api/src/features/accounts/accounts.store.ts',
    from: / AND a\.user_id = \$\{userId\}/,
    to: '',
    tests: 'apps/api/test/door/authorization.test.ts',
  },
  {
    safeguard: 'the level check',
    file: 'apps/api/src/features/auth/auth.ts',
    from: "access === 'admin' && !isAdminLevel(session.level)",
    to: 'false',
    tests: 'apps/api/test/door/authorization.test.ts',
  },
  {
    safeguard: 'the redaction of logs',
    file: 'apps/api/src/features/provisioning/provisioning.ts',
    from: 'redact(plain(text), secrets.map(plainLines))',
    to: 'plain(text)',
    tests: 'apps/api/test/door/provisioning-log.test.ts',
  },
  {
    safeguard: 'the hash that is computed for nobody',
    file: 'apps/api/src/lib/passwords.ts',
    from: 'const against = stored ?? (await nobody)',
    to: 'if (stored === undefined) return false\n      const against = stored',
    tests: 'apps/api/test/door/timing.test.ts',
  },
  {
    safeguard: 'the location bound into a sealed secret',
    file: 'apps/api/src/lib/seal.ts',
    from: /\s*\.setAAD\(Buffer\.from\(location\)\)/g,
    to: '',
    tests: 'apps/api/src/features/servers/servers.test.ts',
  },
  {
    safeguard: 'the row of the idempotency key',
    file: 'apps/api/src/features/idempotency/idempotency.ts',
    from: 'if (await store.claim(tx, row, expiredBefore(now))) return null',
    to: 'await store.claim(tx, row, expiredBefore(now))\n  return null',
    tests: 'apps/api/test/faults/races-idempotency.test.ts',
  },
  {
    safeguard: 'what an edit was based on',
    file: 'apps/api/src/lib/as-seen.ts',
    from: "if (hasChanged) throw new Refusal('CHANGED_MEANWHILE')",
    to: '',
    tests: 'apps/api/src/features/hosts/upkeep.test.ts',
  },
  {
    safeguard: 'the single use of a code of the second factor',
    file: 'apps/api/src/features/second-factor/second-factor.store.ts',
    from: ".where('last_step', '<', step)",
    to: '',
    tests: 'apps/api/test/door/second-factor.test.ts',
  },
  {
    safeguard: "the end of a revoked node's certificate",
    file: 'apps/api/src/features/nodes/nodes.ts',
    from: 'host && !isTakenBack',
    to: 'host',
    tests: 'apps/api/test/door/nodes.test.ts',
  },
  {
    safeguard: 'the guard of a host against a much smaller list',
    file: 'apps/agent/src/list.ts',
    from: "gone > atLeast && gone > kept.accounts.length * share ? 'smaller' : ''",
    to: "''",
    tests: 'apps/agent/src/list.test.ts',
  },
]

const [, , word = ''] = process.argv
const mutants = all.filter(({ safeguard }) => safeguard.includes(word))
if (mutants.length === 0) throw new Error(`no safeguard has "${word}" in its name`)

const root = join(import.meta.dirname, '..')
const copy = mkdtempSync(join(tmpdir(), 'kelid-mutants-'))

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
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  for (const tests of new Set(mutants.map((mutant) => mutant.tests)))
    if (!run(tests))
      throw new Error(`${tests} fails without any change: nothing can be said of what it would catch`)
  for (const { safeguard, file, from, to, tests } of mutants) {
    const path = join(copy, file)
    const whole = readFileSync(path, 'utf8')
    const mutated = whole.replace(from, to)
    if (mutated === whole) throw new Error(`${file} no longer holds what "${safeguard}" would take away`)
    writeFileSync(path, mutated)
    const isCaught = !run(tests)
    writeFileSync(path, whole)
    console.log(`${isCaught ? 'caught  ' : 'SURVIVED'}  ${safeguard}`)
    if (!isCaught) survivors += 1
  }
} finally {
  rmSync(join(copy, 'node_modules'))
  execFileSync('git', ['-C', root, 'worktree', 'remove', '--force', copy])
  rmSync(copy, { recursive: true, force: true })
}
console.log(`${mutants.length - survivors} of ${mutants.length} turned the tests red`)
process.exit(survivors === 0 ? 0 : 1)
