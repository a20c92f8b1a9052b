interface Given {
  archive: string
  core: string
  level: number
  /** For files of the tests; removed afterwards. */
  folder: string
  /** Folders with systems that can be booted. */
  machines: string[]
  run: number
}

const text = process.env.KELID_PACKAGE
if (!text)
  throw new Error('These tests have to be started by `npm run test:package`, which builds the archive.')

export const given: Given = JSON.parse(text)
