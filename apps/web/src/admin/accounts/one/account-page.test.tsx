import {
  type AnyAccount,
  type AnyAccountWay,
  clearAbuse,
  deleteAnyAccount,
  getAnyAccount,
  getServers,
  getTunnels,
  giftDays,
  moveAccount,
  resetData,
  setAnyAccountEnabled,
  setAnyAccountMaxDevices,
  setAnyAccountSpeed,
} from '@kelid/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import {
  bodiesTo,
  confirm,
  fieldValue,
  hrefOf,
  openDialog,
  press,
  retype,
  user,
} from '../../../../test/actions.ts'
import { answer, callsTo, noAnswer, pageOf, refuse } from '../../../../test/answers.ts'
import { aServer, aTunnel, germany } from '../../../../test/hosts.ts'
import { show } from '../../../../test/show.tsx'
import { anyonesAccount } from '../../../../test/users.ts'
import en from '../../words/en.json' with { type: 'json' }
import fa from '../../words/fa.json' with { type: 'json' }
import { AccountPage } from './account-page.tsx'

const deleted = vi.fn()
const paths = {
  person: (email: string) => `/p/${email}`,
  server: (uuid: string) => `/s/${uuid}`,
  tunnel: (uuid: string) => `/t/${uuid}`,
}
const page = (change: Partial<AnyAccount> = {}) => (
  <AccountPage account={anyonesAccount(change)} paths={paths} onDeleted={deleted} />
)
const anotherUUID = '44444444-4444-4444-8444-444444444444'
const movedUUID = '55555555-5555-4555-8555-555555555555'
const later = '2099-01-10T08:00:00.000Z'

test('the page links to the owner, the server and the tunnel, and shows the state', () => {
  show(page({ accountClosedBySuspension: true, accountState: 'disabled', accountEnabled: false }))
  expect(hrefOf('sara@kelid.test')).toBe('/p/sara@kelid.test')
  expect(hrefOf('nl-1')).toMatch('/s/')
  expect(hrefOf('teh-1')).toMatch('/t/')
  expect(screen.getByText('Closed with its owner')).toBeTruthy()
})

const way: AnyAccountWay = {
  ...{ accountVPNType: 'trojan', accountTunnelType: '', serverUUID: anotherUUID, serverName: 'nl-1' },
  ...{ tunnelUUID: null, tunnelName: null, wayDown: false, wayBlocked: false, wayApplied: 'applied' },
  ...{ wayLastSeenDate: '2020-12-20T10:00:00.000Z', server: { country: germany } },
}

test.each(['en', 'fa'] as const)(
  'the ways of an account: where they lead, their state and last use, %s',
  (language) => {
    const accountWays = [
      way,
      { ...way, serverUUID: movedUUID, serverName: 'fra-2', wayBlocked: true, wayLastSeenDate: null },
      {
        ...{ ...way, serverUUID: later, serverName: 'ams-3', wayDown: true, wayApplied: 'waiting' as const },
        ...{ tunnelUUID: movedUUID, tunnelName: 'teh-9' },
      },
    ]
    show(page({ accountWays, accountTargetCountry: 'Iran', accountTargetOperator: 'MCI' }), { language })
    const words = language === 'en' ? en.adminAccounts : fa.adminAccounts
    const rows = within(screen.getByRole('table', { name: words.ways.title }))
      .getAllByRole('row')
      .slice(1)
    const has = (index: number, ...texts: string[]) => {
      for (const text of texts) expect(rows[index]?.textContent).toContain(text)
    }
    has(0, 'nl-1', words.ways.works, words.appliedStates.applied)
    has(1, 'fra-2', words.ways.blocked, words.never)
    has(2, 'ams-3', 'teh-9', words.ways.down, words.appliedStates.waiting)
    expect(hrefOf('fra-2')).toBe(`/s/${movedUUID}`)
    expect(hrefOf('teh-9')).toBe(`/t/${movedUUID}`)
    expect(screen.getByText('MCI · Iran')).toBeTruthy()
  },
)

test('giving days needs a reason, shows the new date first, and a retry gives them once', async () => {
  show(page({ accountExpireDate: later }))
  await press('Give days')
  await retype('Reason', 'outage')
  expect(screen.getByText('February 9, 2099')).toBeTruthy()
  answer(giftDays, noAnswer)
  await confirm('Give days')
  expect(await screen.findAllByText(/not known whether this was done/)).toBeTruthy()
  answer(giftDays, () => anyonesAccount({ accountExpireDate: '2099-02-09T08:00:00.000Z' }))
  await confirm('Give days')
  expect(await screen.findByText('ali_phone now runs until February 9, 2099.')).toBeTruthy()
  const [first, second] = callsTo(giftDays)
  expect(first?.body).toMatchObject({ accountDuration: 30, reason: 'outage', basedOn: later })
  expect(second?.key).toBe(first?.key)
})

test('a concurrent move shows both places and keeps the selection', async () => {
  const target = aServer({ serverName: 'hel-1', serverVPNType: 'trojan', serverTunnelType: 'wstunnel' })
  answer(getServers, () => pageOf([target]))
  answer(getTunnels, () => pageOf([aTunnel()]))
  const account = {
    accountVPNType: 'trojan',
    accountTunnelType: 'wstunnel',
    serverUUID: anotherUUID,
  } as const
  answer(moveAccount, ({ basedOn }) =>
    basedOn?.tunnelUUID === movedUUID ? anyonesAccount() : refuse('CHANGED_MEANWHILE'),
  )
  answer(getAnyAccount, () => anyonesAccount({ ...account, tunnelUUID: movedUUID, tunnelName: 'teh-2' }))
  show(page({ ...account, tunnelUUID: anotherUUID }))
  await press('Move')
  await screen.findByRole('option', { name: /hel-1/ })
  await user.selectOptions(screen.getByLabelText('Server'), target.serverUUID)
  await confirm('Move')
  expect(await screen.findByText('nl-1 · teh-1')).toBeTruthy()
  expect(screen.getByText('nl-1 · teh-2')).toBeTruthy()
  expect(screen.getByText('hel-1 · teh-2')).toBeTruthy()
  await confirm('Move')
  await waitFor(() =>
    expect(bodiesTo(moveAccount)).toMatchObject([
      { basedOn: { serverUUID: anotherUUID, tunnelUUID: anotherUUID } },
      { basedOn: { serverUUID: anotherUUID, tunnelUUID: movedUUID } },
    ]),
  )
})

test('a concurrent disable shows both states and leaves nothing to do', async () => {
  const disabled = { accountEnabled: false, accountState: 'disabled' } as const
  answer(setAnyAccountEnabled, () => refuse('CHANGED_MEANWHILE'))
  answer(getAnyAccount, () => anyonesAccount(disabled))
  show(page())
  await press('Disable')
  await confirm('Disable')
  expect(await screen.findByText('Previously')).toBeTruthy()
  expect(screen.getByText('Disabled')).toBeTruthy()
  expect(screen.queryByText('After')).toBeNull()
  expect((await openDialog()).getByRole('button', { name: 'Disable' })).toHaveProperty('disabled', true)
})

test('an abused account offers to clear the abuse instead of enabling', async () => {
  answer(clearAbuse, () => anyonesAccount())
  show(page({ accountAbuse: true, accountState: 'abused' }))
  expect(screen.queryByRole('button', { name: 'Disable' })).toBeNull()
  await press('Clear abuse')
  await confirm('Clear abuse')
  expect(await screen.findByText('ali_phone is open again.')).toBeTruthy()
})

test('the speed limit of an account: a number of Mbit/s, or none', async () => {
  answer(setAnyAccountSpeed, ({ accountSpeedLimit }) => anyonesAccount({ accountSpeedLimit }))
  show(page({ accountSpeedLimit: 20 }))
  expect(await screen.findByText('20 Mbit/s')).toBeTruthy()
  await press('Speed limit')
  await retype('Maximum Mbit/s', '10001')
  expect((await openDialog()).getByRole('button', { name: 'Change limit' })).toHaveProperty('disabled', true)
  await retype('Maximum Mbit/s', '5')
  await confirm('Change limit')
  expect(await screen.findByText('The speed limit of ali_phone was changed.')).toBeTruthy()
  await press('Speed limit')
  await retype('Maximum Mbit/s', '')
  await confirm('Change limit')
  await waitFor(() =>
    expect(bodiesTo(setAnyAccountSpeed)).toMatchObject([
      { accountSpeedLimit: 5, basedOn: 20 },
      { accountSpeedLimit: null, basedOn: 20 },
    ]),
  )
})

test('the device limit of an account: a number, or the default of the settings', async () => {
  answer(setAnyAccountMaxDevices, ({ accountMaxDevices }) => anyonesAccount({ accountMaxDevices }))
  show(page({ accountMaxDevices: 3 }))
  await press('Device limit')
  await retype('Devices at once', '101')
  expect((await openDialog()).getByRole('button', { name: 'Change limit' })).toHaveProperty('disabled', true)
  await retype('Devices at once', '5')
  await confirm('Change limit')
  expect(await screen.findByText('The device limit of ali_phone was changed.')).toBeTruthy()
  await press('Device limit')
  await retype('Devices at once', '')
  await confirm('Change limit')
  await waitFor(() =>
    expect(bodiesTo(setAnyAccountMaxDevices)).toMatchObject([
      { accountMaxDevices: 5, basedOn: 3 },
      { accountMaxDevices: null, basedOn: 3 },
    ]),
  )
})

const renewed = '2099-03-01T08:00:00.000Z'

test('an account renewed during a gift: the typed days stay beside both dates', async () => {
  answer(giftDays, () => refuse('CHANGED_MEANWHILE'))
  answer(getAnyAccount, () => anyonesAccount({ accountExpireDate: renewed }))
  show(page({ accountExpireDate: later }), { language: 'fa' })
  await press('هدیه‌ی روز')
  await retype('دلیل', 'قطعی')
  await retype('تعداد روز', '۷')
  await confirm('هدیه‌ی روز')
  expect(await screen.findByText('شما دیدید')).toBeTruthy()
  expect(fieldValue('تعداد روز')).toBe('۷')
})

test('deleting needs a reason, and a renewed account is deleted only after the new date was shown', async () => {
  answer(deleteAnyAccount, ({ basedOn }) => (basedOn === later ? refuse('CHANGED_MEANWHILE') : undefined))
  answer(getAnyAccount, () => anyonesAccount({ accountExpireDate: renewed }))
  show(page({ accountExpireDate: later }))
  await press('Delete')
  await screen.findByLabelText('Reason')
  expect((await openDialog()).getByRole('button', { name: 'Delete' })).toHaveProperty('disabled', true)
  await retype('Reason', 'unused')
  await confirm('Delete')
  expect(await screen.findByText('March 1, 2099')).toBeTruthy()
  expect(screen.getByText('Previously')).toBeTruthy()
  expect(deleted).not.toHaveBeenCalled()
  await confirm('Delete')
  await waitFor(() => expect(deleted).toHaveBeenCalled())
})

test('used data is shown, and reset with a reason', async () => {
  answer(resetData, () => anyonesAccount({ accountDataLimit: 50, accountDataUsed: 0 }))
  show(page({ accountDataLimit: 50, accountDataUsed: 50 * 2 ** 30, accountState: 'limited' }))
  expect(screen.getByText(/50 GB.* of .*50 GB.* used/)).toBeTruthy()
  await press('Reset used data')
  await retype('Reason', 'a broken app')
  await confirm('Reset used data')
  expect(await screen.findByText(/was reset/)).toBeTruthy()
  expect(bodiesTo(resetData)).toMatchObject([{ reason: 'a broken app' }])
})

test('an account without a limit has nothing to reset', () => {
  show(page())
  expect(screen.queryByRole('button', { name: 'Reset used data' })).toBeNull()
})
