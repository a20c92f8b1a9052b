import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'

interface Closable {
  close(): unknown
}

/** Opens something before the first test of a file and closes it after the last. It has its fields once hooks run. */
export function openForAllTests<T extends Closable>(open: () => Promise<T>): T {
  const opened = {} as T
  beforeAll(async () => {
    Object.assign(opened, await open())
  })
  afterAll(() => opened.close())
  return opened
}

/** The same, before and after each test. */
export function openForEachTest<T extends Closable>(open: () => Promise<T>): T {
  const opened = {} as T
  beforeEach(async () => {
    Object.assign(opened, await open())
  })
  afterEach(() => opened.close())
  return opened
}
