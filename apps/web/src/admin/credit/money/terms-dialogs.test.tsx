import { defaultSettings, getSettings } from '@kelid/contract'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { answer } from '../../../../test/answers.ts'
import { show } from '../../../../test/show.tsx'
import { aUser } from '../../../../test/users.ts'
import { DebtLimitDialog, RateDialog } from './terms-dialogs.tsx'

beforeEach(() => answer(getSettings, () => defaultSettings))

const retype = async (label: string, text: string) => {
  const field = await screen.findByLabelText(label)
  await userEvent.clear(field)
  if (text) await userEvent.type(field, text)
}

test('the rate dialog names the default rate', async () => {
  show(<RateDialog user={aUser()} onClose={vi.fn()} />)
  expect(await screen.findByText('Leave it empty for the default rate, which is 100.')).toBeTruthy()
})

test('a limit below the debt shows a warning', async () => {
  show(<DebtLimitDialog user={aUser({ userDebt: 20 })} onClose={vi.fn()} />)
  await retype('Debt limit in dollars', '10')
  expect(screen.getByText(/The debt is already higher/)).toBeTruthy()
})

test('an invalid limit shows an error and is not sent', async () => {
  show(<DebtLimitDialog user={aUser()} onClose={vi.fn()} />)
  await retype('Debt limit in dollars', '1.005')
  await userEvent.tab()
  expect(screen.getByText('Dollars with at most two decimals, at most 1,000,000')).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true)
})
