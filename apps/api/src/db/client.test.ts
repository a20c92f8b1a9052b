import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../lib/package-root.ts'

test('no file of the program connects past the client that pins the search path', async () => {
  const src = join(packageRoot, 'src')
  const files = (await readdir(src, { recursive: true })).filter(
    (file) => file.endsWith('.ts') && !/\.(test|fixture)\.ts$|testbed\.ts$/.test(file),
  )
  const connecting: string[] = []
  for (const file of files) {
    const text = await readFile(join(src, file), 'utf8')
    for (const [made] of text.matchAll(/new pg\.\w+|extends pg\.\w+/g)) connecting.push(`${file}: ${made}`)
  }
  expect(connecting.sort()).toEqual(['db/client.ts: extends pg.Client', 'db/database.ts: new pg.Pool'])
})
