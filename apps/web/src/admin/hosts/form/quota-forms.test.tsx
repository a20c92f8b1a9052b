import { addServer, addTunnel, editHost, getCountries, getUser } from '@kelid/contract'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { lastBodyTo, press, retype, user } from '../../../../test/actions.ts'
import { answer } from '../../../../test/answers.ts'
import { answerNewMachines, answerServerPage, aServer, aTunnel, germany } from '../../../../test/hosts.ts'
import { show } from '../../../../test/show.tsx'
import { EditHost } from '../detail/edit-host.tsx'
import { HostState } from '../detail/host-state.tsx'
import { hostOfServer } from '../host/host.ts'
import { AddServerForm } from './add-server-form.tsx'
import { AddTunnelForm } from './add-tunnel-form.tsx'

beforeEach(() => {
  answerNewMachines()
  answer(getCountries, () => ({ items: [germany] }))
  answer(addServer, ({ serverUUID }) => aServer({ serverUUID }))
  answer(addTunnel, ({ tunnelUUID }) => aTunnel({ tunnelUUID }))
})

const label = 'Traffic quota, GB per month'
const dayLabel = 'The month begins on day'

test('a server is added with the quota of its provider, or without one', async () => {
  show(<AddServerForm address="" onCreated={() => undefined} />)
  await user.selectOptions(screen.getByLabelText('Server type'), 'hysteria')
  await retype('Name', 'waw-1')
  await retype('Server version', '1')
  await retype('VPN version', '1')
  await retype('IPv4 address', '192.0.2.10')
  await retype('URL', 'waw1.example.com')
  await retype('Port', '443')
  await retype('Maximum accounts', '50')
  await retype(label, '1.5')
  await user.tab()
  expect(await screen.findByText('A whole number from 0 to 100000')).toBeTruthy()
  await retype(label, '۲۰۰۰۰')
  await user.selectOptions(screen.getByLabelText(dayLabel), '15')
  await press('Create')
  await waitFor(() =>
    expect(lastBodyTo(addServer)).toMatchObject({ serverQuota: 20_000, serverQuotaDay: 15 }),
  )
})

test('a tunnel is added without a quota, which sends none', async () => {
  answer(getUser, () => ({ userEmail: 'owner@example.com', userLevel: 6, userPhone: null, userContact: '' }))
  show(<AddTunnelForm address="" onCreated={() => undefined} />)
  await retype('Name', 'thr-1')
  await user.selectOptions(screen.getByLabelText('Tunnel type'), 'ssh')
  await retype('Tunnel version', '1')
  await retype('IPv4 address', '192.0.2.10')
  await retype('URL', 'thr1.example.com')
  await retype('Port', '443')
  await retype('Maximum accounts', '50')
  await user.selectOptions(screen.getByLabelText(dayLabel), '3')
  await press('Create')
  await waitFor(() => expect(lastBodyTo(addTunnel)).toMatchObject({ tunnelName: 'thr-1' }))
  expect(Object.keys(lastBodyTo(addTunnel) ?? {}).filter((name) => name.includes('Quota'))).toEqual([])
})

test('a quota is changed and taken back; only what was changed is sent', async () => {
  answerServerPage()
  answer(editHost, () => ({}))
  const server = aServer({ serverQuota: 1_000, serverQuotaDay: 1 })
  show(<EditHost kind="server" host={server} onClose={() => undefined} />)
  await retype(label, '')
  await user.selectOptions(screen.getByLabelText(dayLabel), '31')
  await press('Save')
  await waitFor(() =>
    expect(lastBodyTo(editHost)).toEqual(
      expect.objectContaining({
        ...{ serverQuota: 0, serverQuotaDay: 31 },
        basedOn: { serverQuota: 1_000, serverQuotaDay: 1 },
      }),
    ),
  )
})

test.each([
  ['', 700, null],
  ['low', 850, /^More than 80% of the provider’s traffic/],
  ['exhausted', 1_000.5, /no new accounts are placed here until December 5, 2026. Existing customers stay/],
] as const)('the page of a host says what is left of its quota: %s', (quotaState, used, warning) => {
  const serverQuotaMonth = {
    ...{ quotaState, quotaUsed: used * 10 ** 9 },
    ...{ quotaBeginDate: '2026-11-05T00:00:00.000Z', quotaEndDate: '2026-12-05T00:00:00.000Z' },
  }
  const server = aServer({ serverQuota: 1_000, serverQuotaDay: 5, serverQuotaMonth })
  show(<HostState host={hostOfServer(server)}>{null}</HostState>)
  const share = `${Math.floor(used / 10)}%`
  const amount = Math.floor(used).toLocaleString('en')
  expect(screen.getByText(/, until December 5, 2026$/).textContent?.replace(/[\u2068\u2069]/g, '')).toBe(
    `${amount} of 1,000 GB (${share}), until December 5, 2026`,
  )
  expect(
    screen.queryByText(/provider’s traffic for this month/)?.textContent?.replace(/[\u2068\u2069]/g, '') ??
      '',
  ).toMatch(warning ?? /^$/)
})
