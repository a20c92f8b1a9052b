import { addData, type Language, quoteData } from '@kelid/contract'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { anAccount, aQuote } from '../../../../test/accounts.ts'
import { bodiesTo, confirm, press, retype } from '../../../../test/actions.ts'
import { answer, callsTo, noAnswer } from '../../../../test/answers.ts'
import { show } from '../../../../test/show.tsx'
import { DataPanel } from './data-panel.tsx'

const limited = anAccount({ accountDataLimit: 50, accountDataUsed: 12.5 * 2 ** 30 })
const panel = (account = limited, language: Language = 'en') =>
  show(<DataPanel account={account} limit={50} />, { language })

test.each([
  ['en', '12.5 GB of 50 GB used'],
  ['fa', '۱۲٫۵ GB از ۵۰ GB مصرف شده'],
] as const)('the used data is shown in %s', async (language, text) => {
  panel(limited, language)
  expect(
    (await screen.findByRole('meter')).getAttribute('aria-valuetext')?.replace(/[\u2068\u2069]/g, ''),
  ).toBe(text)
})

test('an account whose data is used up says so', async () => {
  panel({ ...limited, accountState: 'limited', accountDataUsed: 60 * 2 ** 30 })
  expect(await screen.findByText(/The data is used up/)).toBeTruthy()
})

test('data is added at the shown price, and a retry without an answer keeps its key', async () => {
  answer(quoteData, ({ accountDataLimit }) =>
    aQuote({ quotePoints: accountDataLimit * 3, accountDataLimitAfter: 50 + accountDataLimit }),
  )
  answer(addData, noAnswer)
  panel()
  await press('Add data')
  await retype('GB to add', '10')
  expect(await screen.findByText('60 GB')).toBeTruthy()
  await confirm('Add data')
  await waitFor(() => expect(callsTo(addData)).toHaveLength(1))
  answer(addData, () => anAccount({ accountDataLimit: 60 }))
  await confirm('Add data')
  expect(await screen.findByText('ali_phone has 10 GB more.')).toBeTruthy()
  expect(bodiesTo(addData)).toMatchObject([{ accountDataLimit: 10, quotedPoints: 30 }, {}])
  const [first, second] = callsTo(addData).map(({ key }) => key)
  expect(second).toBe(first)
})
