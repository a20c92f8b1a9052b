import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import type { Account } from './reconcile.ts'

/** A folder for the tests of one file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kelid-agent-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  return folder
}

export const account = (id: string, change: Partial<Account> = {}): Account => ({
  ...{ id, revision: 1, secret: `key of ${id}`, enabled: true, maxDevices: 2 },
  expiresAt: '2030-01-01T00:00:00.000Z',
  ...change,
})
