import { getUserDebt } from '@kelid/contract'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answerBalances } from '../../../../test/accounts.ts'
import { answer } from '../../../../test/answers.ts'
import { show } from '../../../../test/show.tsx'
import { Balances } from './balances.tsx'

test('only users with a debt limit see how much of it is left', async () => {
  answerBalances()
  const first = show(<Balances />)
  expect(await screen.findByText('Nothing owed')).toBeTruthy()
  expect(screen.queryByText(/left of the limit/)).toBeNull()
  first.unmount()
  answer(getUserDebt, () => ({ userDebt: 12.34, userDebtLimit: 50, userDebtLeft: 37.66 }))
  show(<Balances />, { language: 'fa' })
  expect(await screen.findByText(/۳۷٫۶۶.*تا سقف/)).toBeTruthy()
})
