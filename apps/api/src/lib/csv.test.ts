import { expect, test } from 'vitest'
import { toCsv } from './csv.ts'

const cellOf = (text: string) => toCsv([[text]]).slice('\ufeff'.length, -'\r\n'.length)

const before = ['', ' ', '   ', '\t', '\n', '\r', '\u00a0', '\u3000', '\u200b', '\ufeff', '\0']
const signs = [...'=+-@', ...'＝＋－＠', ...'﹦﹢﹣﹫']

test.each(signs)('%s at the beginning of a cell is no formula, also after invisible characters', (sign) => {
  for (const space of before) {
    const text = `${space}${sign}1+1`
    expect(cellOf(text).replace(/^"/, ''), JSON.stringify(text)).toBe(cellOf(`'${text}`).replace(/^"/, ''))
    expect(cellOf(text), JSON.stringify(text)).toMatch(/^"?'/)
  }
})

test.each(['a=b', 'welcome: a month to try', '۱۲۳ - تست', 'x@example.com', '1-2', ' plain', ''])(
  '%j is left as it is',
  (text) => {
    expect(cellOf(text)).toBe(text)
  },
)

test('numbers stay numbers', () => {
  expect(toCsv([[-5, 'a,b', 'c"d']])).toBe('\ufeff-5,"a,b","c""d"\r\n')
})
