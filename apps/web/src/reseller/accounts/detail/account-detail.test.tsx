import {
  type Account,
  type AccountApplied,
  clearAbuse,
  clientLabels,
  deleteAccount,
  getAccount,
  getUsage,
  type Language,
  newSecret,
  setEnabled,
} from '@kelid/contract'
import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { anAccount, aUsage } from '../../../../test/accounts.ts'
import { confirm, fieldValue, openDialog, press, user } from '../../../../test/actions.ts'
import { answer, callsTo, refuse } from '../../../../test/answers.ts'
import { show } from '../../../../test/show.tsx'
import { AccountDetail } from './account-detail.tsx'
import { useAccount } from './use-account.ts'

beforeEach(() => {
  answer(getUsage, () => aUsage())
  const isVisible = [{ isIntersecting: true }]
  vi.stubGlobal('IntersectionObserver', function observe(report: (entries: object[]) => void) {
    return { observe: () => report(isVisible), disconnect: () => {} }
  })
})

function LiveDetail() {
  const { data } = useAccount(anAccount().accountUUID)
  return data && <AccountDetail account={data} onDeleting={() => undefined} onDeleted={onDeleted} />
}

const onDeleted = vi.fn()
const showAccount = (account: Account, language: Language = 'en') =>
  show(<AccountDetail account={account} onDeleting={() => undefined} onDeleted={onDeleted} />, { language })

test('the page shows the QR code, the expiry and the links', async () => {
  showAccount(anAccount())
  expect(screen.getByRole('img', { name: 'QR code of ali_phone' }).getAttribute('width')).toBe('128')
  expect(screen.getByText('January 10, 2027')).toBeTruthy()
  await press('12 days left')
  expect(screen.getByRole('button', { name: /^Jan 10, 2027, / })).toBeTruthy()
  expect(screen.getByText('enabled')).toBeTruthy()
  expect(fieldValue('Subscription link')).toBe(`${location.origin}/sub/abcdef`)
})

test.each([1, 2])('an account with %i servers has a list of them if there are several', (count) => {
  const { accountQRString, server } = anAccount()
  const way = {
    accountVPNType: 'trojan',
    accountTunnelType: 'ssh',
    wayDown: false,
    wayLastSeenDate: null,
    server,
  } as const
  const links = [accountQRString, `${accountQRString}-2`].slice(0, count)
  showAccount(anAccount({ accountWays: links.map((link) => ({ ...way, accountQRString: link })) }))
  expect(screen.queryAllByText('Servers of this account')).toHaveLength(count - 1)
})

test('an account from a list waits for its links', () => {
  showAccount(anAccount({ accountQRString: '', accountSubscriptionPath: '' }))
  expect(screen.getByRole('heading', { name: 'ali_phone' })).toBeTruthy()
  expect(screen.queryByRole('img', { name: 'QR code of ali_phone' })).toBeNull()
  expect(screen.queryByLabelText('Connection link')).toBeNull()
  expect(screen.getByRole('button', { name: 'Download PNG' })).toHaveProperty('disabled', true)
})

test('an abused account shows the evidence and cannot be enabled or renewed', async () => {
  showAccount(
    anAccount({
      accountAbuse: true,
      accountEnabled: false,
      accountState: 'abused',
      accountAbuseEvidence: { devices: 7, seenDate: '2020-12-20T10:00:00.000Z' },
    }),
  )
  expect(screen.getByText(clientLabels.abuse)).toBeTruthy()
  expect(screen.getByText(clientLabels.invalidAccount)).toBeTruthy()
  const evidence = screen.getByText(/Used on 7 devices at once/)
  expect(evidence.textContent).toMatch(/seen .* days ago\.$/)
  await user.click(within(evidence).getByRole('button'))
  expect(evidence.textContent).toMatch(/seen Dec 20, 2020, .*M\.$/)
  expect(screen.getByText('disabled · abused')).toBeTruthy()
  expect(screen.getByRole('switch')).toHaveProperty('disabled', true)
  expect(screen.getByRole('button', { name: 'Renew' })).toHaveProperty('disabled', true)
})

test('an owner opens an abused account again, and from the fourth time on sees when', async () => {
  const abused = { accountAbuse: true, accountEnabled: false, accountState: 'abused' } as const
  const evidence = { devices: 3, seenDate: '2020-12-20T10:00:00.000Z', sinceDate: '2020-12-20T09:00:00.000Z' }
  const view = showAccount(anAccount({ ...abused, accountAbuseEvidence: { ...evidence, minutes: 16 } }))
  expect(screen.getByText(/for 16 whole minutes since/)).toBeTruthy()
  answer(clearAbuse, () => anAccount())
  await press('Open again')
  expect(await screen.findByText('ali_phone is open again.')).toBeTruthy()
  answer(clearAbuse, () => refuse('CLEARED_TOO_OFTEN', { date: '2027-01-10' }))
  await press('Open again')
  expect(await screen.findByText(/the next time is possible from 2027-01-10 on/)).toBeTruthy()
  view.unmount()
  showAccount(anAccount({ ...abused, accountAbuseClearableDate: '2027-01-10T08:00:00.000Z' }))
  expect(screen.getByText(/the next time is possible on January 10, 2027/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Open again' })).toBeNull()
})

test('a refused device is shown while the refusal lasts', () => {
  const refusal = {
    refused: 1,
    devices: 3,
    allowed: 2,
    sinceDate: new Date(Date.now() - 180_000).toISOString(),
  }
  const until = (ms: number) =>
    anAccount({ accountRefusedDevices: { ...refusal, untilDate: new Date(Date.now() + ms).toISOString() } })
  const view = showAccount(until(600_000))
  expect(screen.getByRole('heading', { name: '1 extra device is refused' })).toBeTruthy()
  expect(screen.getByText(/^3 devices have used .* 2 are allowed/)).toBeTruthy()
  view.unmount()
  showAccount(until(-1_000))
  expect(screen.queryByText(/extra device/)).toBeNull()
})

test('an abused or expired account is never shown as enabled', async () => {
  const abused = anAccount({ accountAbuse: true, accountEnabled: true, accountState: 'abused' })
  const view = showAccount(abused)
  expect(screen.getByText('disabled · abused')).toBeTruthy()
  expect(screen.queryByText('enabled')).toBeNull()
  expect(screen.getByRole('switch')).toHaveProperty('checked', false)
  view.unmount()
  showAccount(
    anAccount({ accountDuration: 0, accountExpireDate: '2020-01-01T00:00:00.000Z', accountState: 'expired' }),
  )
  const status = (await screen.findByText('Status')).nextElementSibling?.firstElementChild as HTMLElement
  expect([status.textContent, status.dataset.state]).toEqual(['Expired', 'bad'])
  expect(screen.queryByText('enabled')).toBeNull()
})

test('a read that started before a change does not restore the old value', async () => {
  answer(getAccount, () => anAccount())
  answer(setEnabled, ({ accountEnabled }) => anAccount({ accountEnabled }))
  const view = show(<LiveDetail />)
  const onOff = await screen.findByRole('switch')
  let arrive = () => {}
  const late = new Promise<void>((resolve) => {
    arrive = resolve
  })
  answer(getAccount, () => late.then(() => anAccount()))
  void view.client.invalidateQueries({ queryKey: [getAccount.path] })
  await waitFor(() => expect(callsTo(getAccount).length).toBeGreaterThan(1))
  await user.click(onOff)
  expect(await screen.findByText(/ali_phone is disabled/)).toBeTruthy()
  const reads = callsTo(getAccount).length
  arrive()
  await waitFor(() => expect(view.client.isFetching()).toBe(0))
  expect(callsTo(getAccount)).toHaveLength(reads)
  expect(onOff).toHaveProperty('checked', false)
})

test('deleting needs a confirmation; a refusal stays in the dialog, success leaves the page', async () => {
  answer(deleteAccount, () => refuse('UNAVAILABLE'))
  showAccount(anAccount())
  await press('Delete')
  await confirm('Delete account')
  expect(await (await openDialog()).findAllByText(/cannot reach its database/)).not.toHaveLength(0)
  answer(deleteAccount, () => undefined)
  await confirm('Delete account')
  expect(await screen.findByText('ali_phone was deleted.')).toBeTruthy()
  expect(onDeleted).toHaveBeenCalledTimes(1)
})

test('the status shows if the server has applied the last change, and follows new reads', async () => {
  let accountApplied: AccountApplied = 'waiting'
  answer(getAccount, () => anAccount({ accountApplied }))
  const view = show(<LiveDetail />)
  expect(await screen.findByText('Waiting for the server to apply it')).toBeTruthy()
  accountApplied = 'applied'
  await act(() => view.client.invalidateQueries({ queryKey: [getAccount.path] }))
  expect(await screen.findByText('The server has applied it')).toBeTruthy()
  view.unmount()
  accountApplied = 'unreported'
  show(<LiveDetail />, { language: 'fa' })
  expect(await screen.findByText('این سرور وضعیت را گزارش نمی‌کند')).toBeTruthy()
})

test('the switch does not flicker when the reply arrives', async () => {
  answer(getAccount, () => anAccount())
  answer(setEnabled, ({ accountEnabled }) => anAccount({ accountEnabled }))
  show(<LiveDetail />)
  const onOff = await screen.findByRole('switch')
  const states: (string | null)[] = []
  new MutationObserver(() => states.push(onOff.getAttribute('aria-checked'))).observe(onOff, {
    attributeFilter: ['aria-checked'],
  })
  onOff.click()
  expect(await screen.findByText(/ali_phone is disabled/)).toBeTruthy()
  await waitFor(() => expect(onOff).toHaveProperty('disabled', false))
  expect(states).toEqual(['false'])
})

test('a new VPN key needs a confirmation that names the consequences', async () => {
  answer(newSecret, () => anAccount({ accountQRString: 'trojan://other@198.51.100.6:443#ali_phone' }))
  answer(getAccount, () => anAccount())
  show(<LiveDetail />)
  await press('New VPN key')
  expect(await screen.findByText(/devices connected with them are cut off/)).toBeTruthy()
  expect(callsTo(newSecret)).toHaveLength(0)
  await confirm('New VPN key')
  expect(await screen.findByText('The VPN key was replaced.')).toBeTruthy()
  expect(fieldValue('Connection link')).toContain('//other@')
})

test('the usage shows today, thirty days, the total, who is online and the delay of the last change', async () => {
  const view = showAccount(anAccount())
  for (const text of ['1.4 GB', '20.3 GB', '93.1 GB', 'applied after 0.4 s'])
    expect(await screen.findByText(text)).toBeTruthy()
  expect(screen.getByRole('img', { name: /20\.3 GB in all, at most 1\.4 GB in a day/ })).toBeTruthy()
  view.unmount()
  answer(getUsage, () => aUsage({ accountOnline: true, accountAppliedMs: null }))
  showAccount(anAccount(), 'fa')
  expect(await screen.findByText('آنلاین')).toBeTruthy()
  expect(screen.getByText(/۲۰٫۳/)).toBeTruthy()
  expect(screen.queryByText(/اعمال شد$/)).toBeNull()
})

test('an unused account and a failed read of the usage are reported', async () => {
  const none = aUsage().usageByDay.map(({ day }) => ({ day, up: 0, down: 0 }))
  answer(getUsage, () => refuse('UNAVAILABLE'))
  showAccount(anAccount())
  await press('Try again')
  answer(getUsage, () =>
    aUsage({ usageByDay: none, usageTotal: { up: 0, down: 0 }, accountLastSeenDate: null }),
  )
  await press('Try again')
  expect(await screen.findByText('Not connected yet')).toBeTruthy()
  expect(screen.queryByRole('img', { name: /Usage by day/ })).toBeNull()
})

test.each(['pcs', 'pinSHA256'])(
  'a link pinned by %s comes with a hint to use the subscription',
  async (pin) => {
    showAccount(anAccount({ accountQRString: `trojan://s@198.51.100.6:443?sni=a&${pin}=ab#ali_phone` }))
    expect(await screen.findByText(/some apps refuse this server by QR code/)).toBeTruthy()
  },
)
