import {
  type Answer,
  clientMessages,
  compensate,
  getCompensations,
  getServer,
  getServers,
  quoteCompensation,
} from '@kelid/contract'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { confirm, isDisabled, press, retype } from '../../../../test/actions.ts'
import { answer, callsTo, noAnswer, refuse } from '../../../../test/answers.ts'
import { aServer, serverUUID } from '../../../../test/hosts.ts'
import { show } from '../../../../test/show.tsx'
import { compensatePath } from '../../paths.ts'
import { CompensationsScreen } from '../../screens/compensations-screen.tsx'

type Compensation = Answer<typeof compensate>

const aCompensation = (change: Partial<Compensation> = {}): Compensation => ({
  compensationUUID: '66666666-6666-4666-8666-666666666666',
  compensationState: 'running',
  compensationSubject: 'server',
  compensationSubjectUUID: serverUUID,
  compensationSubjectName: 'fra-1',
  compensationDays: 3,
  compensationDownFrom: null,
  compensationDownUntil: null,
  compensationReason: 'power cut',
  compensationBy: 'admin@kelid.test',
  compensationDate: '2026-11-16T08:00:00.000Z',
  compensationFinishedDate: null,
  compensationAccounts: 214,
  compensationDone: 100,
  compensationSkipped: 0,
  ...change,
})

let listed: Compensation[] = []
let last: Compensation | null = null
const quoted = () => ({
  accounts: 214,
  earliestExpireDate: '2026-12-01T08:00:00.000Z',
  latestExpireDate: '2027-12-01T08:00:00.000Z',
  lastCompensation: last,
})
beforeEach(() => {
  listed = []
  last = null
  answer(getCompensations, () => ({ items: listed, nextCursor: null, total: listed.length }))
  answer(getServers, () => ({ items: [aServer()] }))
  answer(getServer, () => aServer())
  answer(quoteCompensation, quoted)
})

const fill = async (days = '3') => {
  await retype('Days', days)
  await retype('Reason', 'power cut')
}
const buttonEnabled = () => waitFor(() => expect(isDisabled('Give days')).toBe(false))
/** Fills the form of a server and opens the confirmation. */
async function openConfirmation() {
  show(<CompensationsScreen />, { at: compensatePath({ serverUUID }) })
  await fill()
  await screen.findByText('214')
  await buttonEnabled()
  await press('Give days')
}

test('a retry without an answer sends the same order and key, although the quote has changed', async () => {
  answer(compensate, () => {
    last = aCompensation()
    return noAnswer()
  })
  await openConfirmation()
  await confirm('Give 3 days')
  expect(await screen.findAllByText(/not known whether this was done/)).toBeTruthy()
  await confirm('Give 3 days')
  await waitFor(() => expect(callsTo(compensate)).toHaveLength(2))
  const [first, second] = callsTo(compensate)
  expect(second).toEqual(first)
  answer(compensate, () => aCompensation())
  await confirm('Give 3 days')
  expect(await screen.findByText('Started: 214 accounts get their days')).toBeTruthy()
})

test('a concurrent compensation is shown and needs another confirmation', async () => {
  answer(compensate, ({ basedOn }) => {
    if (basedOn?.lastCompensationUUID) return aCompensation()
    last = aCompensation()
    return refuse('CHANGED_MEANWHILE')
  })
  await openConfirmation()
  await confirm('Give 3 days')
  expect(await screen.findByText(/3 days were already given here/)).toBeTruthy()
  await confirm('Give 3 days')
  expect(await screen.findByText('Started: 214 accounts get their days')).toBeTruthy()
})

test('without a host in the address, the administrator searches for one', async () => {
  show(<CompensationsScreen />)
  fireEvent.click(await screen.findByLabelText('fra-1'))
  await press('Continue with this one')
  const days = await screen.findByLabelText('Days')
  await waitFor(() => expect(document.activeElement).toBe(days))
})

test('365 days are refused', async () => {
  show(<CompensationsScreen />, { at: compensatePath({ serverUUID }) })
  await fill('365')
  await press('Give days')
  expect(screen.getByText('A whole number from 1 to 364')).toBeTruthy()
  expect(screen.getByText(clientMessages.incompleteInformation)).toBeTruthy()
  expect(callsTo(quoteCompensation)).toHaveLength(0)
})

test.each(['from', 'until'])('a time "down %s" in the future shows an error at its field', async (side) => {
  const name = side === 'from' ? 'downFrom' : 'downUntil'
  answer(quoteCompensation, (body) =>
    body[name]?.startsWith('2999') ? refuse('INCOMPLETE_INFORMATION', {}, { [name]: 'notFuture' }) : quoted(),
  )
  show(<CompensationsScreen />, { at: compensatePath({ serverUUID }) })
  await fill()
  const field = screen.getByLabelText(`Down ${side} (optional)`)
  fireEvent.change(field, { target: { value: '2999-01-31T12:00' } })
  await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'))
  expect(screen.getByText('A moment that is not in the future')).toBeTruthy()
  expect(screen.queryByText(clientMessages.incompleteInformation)).toBeNull()
  expect(isDisabled('Give days')).toBe(true)
  fireEvent.change(field, { target: { value: '2026-01-31T12:00' } })
  expect(field.getAttribute('aria-invalid')).toBe('false')
  await buttonEnabled()
})

test('an outage that ends before it starts shows an error at its end', async () => {
  show(<CompensationsScreen />, { at: compensatePath({ serverUUID }) })
  await fill()
  const [from, until] = ['from', 'until'].map((side) => screen.getByLabelText(`Down ${side} (optional)`))
  fireEvent.change(from as HTMLElement, { target: { value: '2026-01-31T12:00' } })
  fireEvent.change(until as HTMLElement, { target: { value: '2026-01-30T12:00' } })
  await press('Give days')
  expect(until?.getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByText('A moment after the outage began')).toBeTruthy()
})

test('the progress of a running compensation updates', async () => {
  listed = [aCompensation()]
  show(<CompensationsScreen />)
  expect(await screen.findByText('100 of 214')).toBeTruthy()
  listed = [aCompensation({ compensationState: 'finished', compensationDone: 214, compensationSkipped: 2 })]
  expect(await screen.findByText('Done: 212 accounts')).toBeTruthy()
  expect(screen.getByText('2 were deleted before their turn')).toBeTruthy()
})
