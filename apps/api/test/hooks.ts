import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'

interface Closable {
  close(): unknown
}

/** Nothing is open if opening has failed. */
const close = (opened: Partial<Closable>) => opened.close?.()

/** Opens something before the first test of a file and closes it after the last. It has its fields once hooks run. */
export function openForAllTests<T extends Closable>(open: () => Promise<T>): T {
  const opened = {} as T
  beforeAll(async () => {
    Object.assign(opened, await open())
  })
  afterAll(() => close(opened))
  return opened
}

/** The same, before and after each test. */
export function openForEachTest<T extends Closable>(open: () => Promise<T>): T {
  const opened = {} as T
  beforeEach(async () => {
    Object.assign(opened, await open())
  })
  afterEach(() => close(opened))
  return opened
}

/** A folder for the tests of one file, which other users of this machine can enter. */
export function folderForAllTests(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kelid-test-'))
  chmodSync(folder, 0o755)
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  return folder
}
