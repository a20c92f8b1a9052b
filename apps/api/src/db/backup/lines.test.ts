import { expect, test } from 'vitest'
import { scale, seedOf } from '../../../test/scale.ts'
import { randomFrom } from '../../demo/random.ts'
import { linesOf } from './lines.ts'

async function* inPieces(text: string, size: () => number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; ) {
    const end = at + size()
    yield bytes.subarray(at, end)
    at = end
  }
}

async function read(pieces: AsyncIterable<Buffer>): Promise<(string | null)[]> {
  const lines = linesOf(pieces)
  const seen = [await lines.line()]
  for (let table = 0; table < 3; table++) {
    seen.push(await lines.line())
    const rows: Buffer[] = []
    for await (const chunk of lines.block()) {
      expect(chunk.at(-1)).toBe(10)
      rows.push(chunk)
    }
    seen.push(Buffer.concat(rows).toString())
  }
  return [...seen, await lines.line(), await lines.line()]
}

test('however the text is cut into pieces, the same is read', async () => {
  const text = 'heading\none\na\n\\\\.\nمی\u200cشود\n\\.\ntwo\n\\.\nthree\n\\.x\n.\n\\.\nmanifest\n'
  const expected = [
    'heading',
    'one',
    'a\n\\\\.\nمی\u200cشود\n',
    'two',
    '',
    'three',
    '\\.x\n.\n',
    'manifest',
    null,
  ]
  const random = randomFrom(seedOf('pieces'))
  expect(await read(inPieces(text, () => 1))).toEqual(expected)
  expect(await read(inPieces(text, () => 1_000))).toEqual(expected)
  for (let round = 0; round < scale(100, 5_000); round++)
    expect(await read(inPieces(text, () => random.whole(1, 7)))).toEqual(expected)
})

test('text that stops too early is said to be damaged', async () => {
  const open = linesOf(inPieces('rows\nand', () => 3))
  expect(await open.line()).toBe('rows')
  await expect(open.line()).rejects.toThrow(/ends in the middle of a line/)
  const table = linesOf(inPieces('rows\nmore\n', () => 4))
  await expect(async () => {
    for await (const _ of table.block());
  }).rejects.toThrow(/ends in the middle of a table/)
})
