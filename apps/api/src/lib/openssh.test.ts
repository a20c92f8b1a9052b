import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createSshKey, fingerprintOf } from './openssh.ts'

test('ssh accepts the generated keys with any comment and shows the same fingerprint', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kelid-openssh-'))
  for (const comment of ['kelid', 'k', '', 'tunnel:0b9c7c1e-4b3f-4a7e-9d53-9fd1e9f1c001', 'seven-7']) {
    const file = join(folder, `key${comment.length}`)
    const { privateKey, publicKey } = createSshKey(comment)
    writeFileSync(file, privateKey, { mode: 0o600 })
    const derived = execFileSync('ssh-keygen', ['-y', '-f', file], { encoding: 'utf8' })
    expect(derived.trim()).toBe(publicKey.trim())
    writeFileSync(`${file}.pub`, publicKey)
    const shown = execFileSync('ssh-keygen', ['-l', '-f', `${file}.pub`], { encoding: 'utf8' })
    expect(shown.split(' ')[1]).toBe(fingerprintOf(publicKey))
  }
  rmSync(folder, { recursive: true })
})
