import { expect, test } from 'vitest'
import { type List, noList } from './list.ts'
import { rememberUnspoken } from './unspoken.ts'

const list = (ids: string[], heldBack: string[]): List => ({
  ...noList,
  accounts: ids.map((id) => ({ id, revision: 1, secret: '', enabled: true, expiresAt: '', maxDevices: 2 })),
  heldBack,
})

test('an account that was held back is not reported, also after it was dropped, until a list has it again', () => {
  const spoken = rememberUnspoken()
  const news = new Map([
    ['a', 1],
    ['lost', 2],
    ['deleted', 3],
  ])
  const reported = (now: List) => [...spoken(now, news).keys()]
  expect(reported(list(['a', 'lost'], []))).toEqual(['a', 'lost', 'deleted'])
  expect(reported(list(['a', 'lost'], ['lost']))).toEqual(['a', 'deleted'])
  expect(reported(list(['a'], []))).toEqual(['a', 'deleted'])
  expect(reported(list(['a', 'lost'], []))).toEqual(['a', 'lost', 'deleted'])
})
