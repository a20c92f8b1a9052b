import { clientMessages, extendDuration, getUserCredit, quoteAccount } from '@kelid/contract'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { anAccount, answerBalances, aQuote } from '../../../../test/accounts.ts'
import { bodiesTo, isDisabled, press, retype, user } from '../../../../test/actions.ts'
import { answer, callsTo, noAnswer, refuse } from '../../../../test/answers.ts'
import { show } from '../../../../test/show.tsx'
import { emitLiveEvent } from '../../../shared/events/live-events.ts'
import { RenewForm } from './renew-form.tsx'

beforeEach(() => answerBalances())

const isReady = () => waitFor(() => expect(isDisabled('Renew')).toBe(false))
const open = (account = anAccount(), onClose = () => {}) =>
  show(<RenewForm account={account} onClose={onClose} />)

test('the rule is shown before the first price, and a press or key shows exact times', async () => {
  answer(quoteAccount, () => new Promise(() => undefined))
  const waiting = open()
  expect(await screen.findByText('The days are added to the time that is left.')).toBeTruthy()
  expect(isDisabled('Renew')).toBe(true)
  waiting.unmount()
  answer(quoteAccount, () => aQuote({ quoteRenewal: 'replace' }))
  open()
  expect(await screen.findByText(/becomes the number of days you enter/)).toBeTruthy()
  expect(callsTo(getUserCredit).length).toBeGreaterThan(0)
  const now = screen.getByRole('button', { name: 'January 10, 2027' })
  await user.click(now)
  expect(now.textContent).toMatch(/^Jan 10, 2027, \d+:00/)
  const then = screen.getByRole('button', { name: 'February 9, 2027' })
  then.focus()
  await user.keyboard('{Enter}')
  expect(then.textContent).toMatch(/^Feb 9, 2027, \d+:00/)
  expect(callsTo(extendDuration)).toHaveLength(0)
})

test('a renewal sends the shown price once, and a changed price needs a new confirmation', async () => {
  let price = 300
  answer(quoteAccount, () => aQuote({ quoteRenewal: 'extend', quotePoints: price }))
  answer(extendDuration, ({ quotedPoints }) =>
    quotedPoints === price ? anAccount() : refuse('QUOTE_CHANGED'),
  )
  const onClose = vi.fn()
  open(anAccount(), onClose)
  await isReady()
  expect(screen.getByText('300 points')).toBeTruthy()
  price = 360
  await press('Renew')
  expect((await screen.findAllByText(/The price has changed since it was shown/)).length).toBeGreaterThan(0)
  expect(await screen.findByText('360 points')).toBeTruthy()
  expect(onClose).not.toHaveBeenCalled()
  await isReady()
  await user.dblClick(screen.getByRole('button', { name: 'Renew' }))
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(bodiesTo(extendDuration)).toMatchObject([
    { quotedPoints: 300, quotedTunnelCredit: 30, quotedDebt: 0, quotedRenewal: 'extend' },
    { quotedPoints: 360 },
  ])
})

test('a live event updates the price without a press', async () => {
  let price = 300
  answer(quoteAccount, () => aQuote({ quoteRenewal: 'extend', quotePoints: price }))
  open()
  expect(await screen.findByText('300 points')).toBeTruthy()
  price = 360
  emitLiveEvent({ type: 'balance' })
  expect(await screen.findByText('360 points')).toBeTruthy()
})

test('a replacing renewal warns of the days that would be lost', async () => {
  answer(quoteAccount, () => aQuote({ quoteRenewal: 'replace', quoteDaysLost: 9, quotePoints: 0 }))
  open()
  expect(await screen.findByText(/becomes the number of days you enter/)).toBeTruthy()
  expect(screen.getByText('9 days that are already paid would be lost.')).toBeTruthy()
})

test('days outside 1 to 364 are refused with the text of the specification and not quoted', async () => {
  answer(quoteAccount, () => aQuote({ quoteRenewal: 'extend' }))
  open()
  await isReady()
  const quoteCount = callsTo(quoteAccount).length
  for (const wrong of ['0', '365', '3.5', '-1', 'abc']) {
    await retype('Days', wrong)
    expect(screen.getByText(clientMessages.incompleteInformation)).toBeTruthy()
    expect(isDisabled('Renew')).toBe(true)
  }
  expect(callsTo(quoteAccount)).toHaveLength(quoteCount)
})

test('a retry without an answer keeps its key, even in a new dialog', async () => {
  answer(quoteAccount, () => aQuote({ quoteRenewal: 'extend' }))
  answer(extendDuration, () => noAnswer())
  const account = anAccount({ accountUUID: '22222222-2222-4222-8222-222222222222' })
  const first = open(account)
  await isReady()
  await press('Renew')
  expect((await screen.findAllByText(/No answer from the server/)).length).toBeGreaterThan(1)
  first.unmount()
  answer(extendDuration, () => account)
  open(account)
  await isReady()
  await press('Renew')
  await waitFor(() => expect(callsTo(extendDuration)).toHaveLength(2))
  const [one, two] = callsTo(extendDuration).map(({ key }) => key)
  expect(two).toBe(one)
})

test('a renewal of an account with a limit may add GB', async () => {
  answer(quoteAccount, ({ accountDataLimit = 0 }) =>
    aQuote({ quotePoints: 300 + accountDataLimit * 3, accountDataLimitAfter: 50 + accountDataLimit }),
  )
  answer(extendDuration, () => anAccount())
  open(anAccount({ accountDataLimit: 50 }))
  await retype('GB to add', '20')
  expect(await screen.findByText('70 GB')).toBeTruthy()
  expect(screen.getByText('360 points')).toBeTruthy()
  await isReady()
  await press('Renew')
  await waitFor(() =>
    expect(bodiesTo(extendDuration)).toMatchObject([{ accountDataLimit: 20, quotedPoints: 360 }]),
  )
})

test('a renewal of an account without a limit offers no GB', async () => {
  answer(quoteAccount, () => aQuote())
  open()
  await isReady()
  expect(screen.queryByLabelText('GB to add')).toBeNull()
})
