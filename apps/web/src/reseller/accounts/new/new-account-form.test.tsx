import { clientMessages, getCountries, getTargets, newAccount, quoteAccount } from '@kelid/contract'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { anAccount, aQuote } from '../../../../test/accounts.ts'
import { fieldValue, isDisabled, press, retype, user } from '../../../../test/actions.ts'
import { answer, callsTo, noAnswer, refuse } from '../../../../test/answers.ts'
import { show } from '../../../../test/show.tsx'
import { NewAccountForm } from './new-account-form.tsx'

beforeEach(() => {
  answer(getCountries, () => ({ items: [anAccount().server.country] }))
  answer(getTargets, () => ({ items: [] }))
  answer(quoteAccount, ({ accountDuration }) => aQuote({ quotePoints: accountDuration * 10 }))
})

const isReady = () => waitFor(() => expect(isDisabled('Create account')).toBe(false))
async function create() {
  await isReady()
  await press('Create account')
}

/** Shows the form and fills in a trojan account for 30 days. */
async function openFilled(onCreated: () => void = vi.fn()) {
  show(<NewAccountForm onCreated={onCreated} />)
  await fill()
}
async function fill() {
  await retype('Name', 'ali_phone')
  await user.selectOptions(screen.getByLabelText('VPN type'), 'trojan')
  await user.selectOptions(screen.getByLabelText('Tunnel type'), 'ssh')
  await retype('Duration in days', '30')
}

test('a refused price is explained and disables the button', async () => {
  answer(quoteAccount, () => aQuote({ quoteRefusal: 'NO_CAPACITY' }))
  await openFilled()
  expect(await screen.findByText(/No server has room for this choice/)).toBeTruthy()
  expect(isDisabled('Create account')).toBe(true)
})

test('a retry without an answer keeps its key, and changed values get a new one', async () => {
  answer(newAccount, () => noAnswer())
  await openFilled()
  await create()
  expect(await screen.findAllByText(clientMessages.networkCreatingAccount)).not.toHaveLength(0)
  expect(fieldValue('Name')).toBe('ali_phone')
  await create()
  await waitFor(() => expect(callsTo(newAccount)).toHaveLength(2))
  await isReady()
  await retype('Name', 'ali_phone_2')
  await create()
  await waitFor(() => expect(callsTo(newAccount)).toHaveLength(3))
  const [first, second, third] = callsTo(newAccount).map(({ key }) => key)
  expect(first).toMatch(/^[0-9a-f]{32}$/)
  expect(second).toBe(first)
  expect(third).not.toBe(first)
})

test('a failing server and a refusal show different messages', async () => {
  answer(newAccount, () => refuse('UNAVAILABLE'))
  await openFilled()
  await create()
  expect(await screen.findAllByText(clientMessages.serverCreatingAccount)).not.toHaveLength(0)
  answer(newAccount, () => refuse('INSUFFICIENT_CREDIT', { missing: 120 }))
  await create()
  expect(await screen.findAllByText('Not enough credit: 120 points are missing')).not.toHaveLength(0)
})

test('a changed price buys nothing and needs a new confirmation, under the same key', async () => {
  let perDay = 10
  answer(quoteAccount, ({ accountDuration }) => aQuote({ quotePoints: accountDuration * perDay }))
  answer(newAccount, ({ quotedPoints }) =>
    quotedPoints === 30 * perDay ? anAccount() : refuse('QUOTE_CHANGED'),
  )
  const onCreated = vi.fn()
  await openFilled(onCreated)
  await isReady()
  perDay = 12
  await press('Create account')
  expect((await screen.findAllByText(/The price has changed since it was shown/)).length).toBeGreaterThan(0)
  expect(await screen.findByText('360 points')).toBeTruthy()
  expect(onCreated).not.toHaveBeenCalled()
  await create()
  await waitFor(() => expect(onCreated).toHaveBeenCalledTimes(1))
  const [first, second] = callsTo(newAccount)
  expect(first?.body).toMatchObject({ quotedPoints: 300, quotedTunnelCredit: 30, quotedDebt: 0 })
  expect(second?.body).toMatchObject({ quotedPoints: 360, accountTunnelEnabled: true, accountDuration: 30 })
  expect(second?.key).toBe(first?.key)
})

const country = (countryId: number, countryName: string) => ({
  countryId,
  countryName,
  countryCode: countryName.slice(0, 2).toUpperCase(),
  countryFlag: '/flags/de.svg',
})
const choices = () =>
  [...screen.getByLabelText<HTMLSelectElement>('Location').options].map(({ label }) => label)

test('only countries that sell the VPN type and tunnel type are offered', async () => {
  const direct = { accountVPNType: 'hysteria2-direct' as const, accountTunnelType: '' as const }
  const trojan = (accountTunnelType: 'ssh' | 'wstunnel') => ({
    accountVPNType: 'trojan' as const,
    accountTunnelType,
  })
  answer(getCountries, () => ({
    items: [
      { ...country(40, 'Austria'), countryOffers: [] },
      { ...country(250, 'France'), countryOffers: [trojan('wstunnel')] },
      { ...country(276, 'Germany'), countryOffers: [direct, trojan('ssh')] },
      { ...country(392, 'Japan'), countryOffers: [direct] },
    ],
  }))
  show(<NewAccountForm onCreated={() => undefined} />)
  await waitFor(() => expect(choices()).toEqual(['Any location', 'France', 'Germany', 'Japan']))
  await fill()
  expect(choices()).toEqual(['Any location', 'Germany'])
  const lastQuoted = () => callsTo(quoteAccount).at(-1)?.body
  await user.selectOptions(screen.getByLabelText('Location'), 'Germany')
  await waitFor(() => expect(lastQuoted()).toMatchObject({ countryId: 276 }))
  await user.selectOptions(screen.getByLabelText('Tunnel type'), 'wstunnel')
  expect(choices()).toEqual(['Any location', 'France'])
  await waitFor(() => expect(lastQuoted()).toMatchObject({ accountTunnelType: 'wstunnel' }))
  expect(lastQuoted()).not.toHaveProperty('countryId')
  await user.selectOptions(screen.getByLabelText('Tunnel type'), 'ssh')
  await user.selectOptions(screen.getByLabelText('Location'), 'Germany')
  await user.selectOptions(screen.getByLabelText('VPN type'), 'hysteria2-direct')
  expect(choices()).toEqual(['Any location', 'Germany', 'Japan'])
  expect(fieldValue('Location')).toBe('')
})

test('a customer’s network is offered only where servers are meant for one, and is sent with quote and purchase', async () => {
  const target = (accountTunnelType: 'ssh' | 'wstunnel', accountTargetOperator: string, countryId = 276) => ({
    accountVPNType: 'trojan' as const,
    accountTunnelType,
    countryId,
    accountTargetCountry: 'Iran',
    accountTargetOperator,
  })
  answer(getTargets, () => ({ items: [target('ssh', 'MCI'), target('ssh', 'MCI', 40), target('ssh', '')] }))
  answer(newAccount, () => anAccount())
  show(<NewAccountForm onCreated={() => undefined} />)
  await fill()
  const field = () => screen.queryByLabelText<HTMLSelectElement>('Customer’s network')
  expect([...(field()?.options ?? [])].map(({ label }) => label)).toEqual([
    'Any network',
    'MCI · Iran',
    'Iran',
  ])
  await user.selectOptions(field() as HTMLSelectElement, 'MCI · Iran')
  const wish = { accountTargetCountry: 'Iran', accountTargetOperator: 'MCI' }
  await waitFor(() => expect(callsTo(quoteAccount).at(-1)?.body).toMatchObject(wish))
  await create()
  await waitFor(() => expect(callsTo(newAccount).at(-1)?.body).toMatchObject(wish))
  cleanup()
  show(<NewAccountForm onCreated={() => undefined} />)
  await fill()
  await user.selectOptions(screen.getByLabelText('Tunnel type'), 'wstunnel')
  expect(field()).toBeNull()
  await create()
  await waitFor(() => expect(callsTo(newAccount)).toHaveLength(2))
  expect(callsTo(newAccount).at(-1)?.body).not.toHaveProperty('accountTargetOperator')
})

test('without sold countries in the reply, the whole list is offered', async () => {
  answer(getCountries, () => ({ items: [country(40, 'Austria'), country(276, 'Germany')] }))
  show(<NewAccountForm onCreated={() => undefined} />)
  await waitFor(() => expect(choices()).toEqual(['Any location', 'Austria', 'Germany']))
  await fill()
  expect(choices()).toEqual(['Any location', 'Austria', 'Germany'])
})

test('a type that may be direct is so unless a tunnel is chosen, and says it in the body', async () => {
  answer(newAccount, () => anAccount())
  show(<NewAccountForm onCreated={vi.fn()} />)
  await retype('Name', 'ali_phone')
  await user.selectOptions(screen.getByLabelText('VPN type'), 'vless-reality')
  const tunnel = screen.getByLabelText<HTMLSelectElement>('Tunnel type')
  expect([...tunnel.options].map(({ value, text }) => [value, text])).toEqual([
    ['', 'No tunnel, direct'],
    ['wstunnel', 'WebSocket (wstunnel)'],
    ['ssh', 'SSH'],
  ])
  await isReady()
  await user.selectOptions(tunnel, 'ssh')
  await waitFor(() => expect(callsTo(quoteAccount).at(-1)?.body).toMatchObject({ accountTunnelType: 'ssh' }))
  await user.selectOptions(tunnel, '')
  await create()
  await waitFor(() =>
    expect(callsTo(newAccount).at(-1)?.body).toMatchObject({
      accountTunnelEnabled: false,
      accountTunnelType: '',
    }),
  )
})

const ways = () => screen.queryAllByLabelText<HTMLSelectElement>(/^Also by/)
const namesOf = (field: HTMLSelectElement | undefined) =>
  [...(field?.options ?? [])].map(({ label }) => label)
function chooseWay(index: number, name: RegExp) {
  const field = ways()[index] as HTMLSelectElement
  return user.selectOptions(field, within(field).getByRole<HTMLOptionElement>('option', { name }))
}
const trojanBySsh = { accountVPNType: 'trojan', accountTunnelType: 'ssh' } as const
const hysteria = { accountVPNType: 'hysteria2-direct', accountTunnelType: '' } as const

test('further ways are chosen one after the other, and are bought with the account', async () => {
  answer(getCountries, () => ({
    items: [{ ...country(276, 'Germany'), countryOffers: [hysteria, trojanBySsh] }],
  }))
  answer(newAccount, () => anAccount())
  await openFilled()
  await waitFor(() => expect(ways()).toHaveLength(1))
  await chooseWay(0, /hysteria.*Any location/i)
  await chooseWay(1, /trojan.*Germany/i)
  expect(ways()).toHaveLength(3)
  for (const label of ['Also by', 'Also by, 2', 'Also by, 3']) screen.getByLabelText(label)
  await create()
  const accountAlsoBy = [hysteria, { ...trojanBySsh, countryId: 276 }]
  await waitFor(() => expect(callsTo(newAccount)[0]?.body).toMatchObject({ accountAlsoBy }))
  expect(callsTo(quoteAccount).at(-1)?.body).toMatchObject({ accountAlsoBy })
})

test('any location is offered for every type, because servers may have no country', async () => {
  answer(getCountries, () => ({ items: [{ ...country(276, 'Germany'), countryOffers: [hysteria] }] }))
  await openFilled()
  await waitFor(() => expect(ways()).toHaveLength(1))
  expect(namesOf(ways()[0])).toEqual([
    'No further way',
    'Hysteria2, direct · Any location',
    'Hysteria2, direct · Germany',
    'Trojan, through a tunnel · SSH · Any location',
    'Trojan, through a tunnel · WebSocket (wstunnel) · Any location',
    'VLESS with REALITY · Any location',
    'VLESS with REALITY · SSH · Any location',
    'VLESS with REALITY · WebSocket (wstunnel) · Any location',
    'VLESS with XHTTP · Any location',
    'VLESS with XHTTP · SSH · Any location',
    'VLESS with XHTTP · WebSocket (wstunnel) · Any location',
  ])
  cleanup()
  answer(getCountries, () => ({ items: [country(276, 'Germany')] }))
  await openFilled()
  await waitFor(() => expect(choices()).toEqual(['Any location', 'Germany']))
  expect(ways()).toHaveLength(0)
})

test('a chosen way that is no longer offered stays visible, because it is sent', async () => {
  answer(getCountries, () => ({ items: [{ ...country(276, 'Germany'), countryOffers: [trojanBySsh] }] }))
  const { client } = show(<NewAccountForm onCreated={() => undefined} />)
  await fill()
  await waitFor(() => expect(ways()).toHaveLength(1))
  await chooseWay(0, /trojan.*Germany/i)
  const chosen = () => ways()[0]?.selectedOptions[0]?.label
  const name = 'Trojan, through a tunnel · SSH · Germany'
  expect(chosen()).toBe(name)
  const readAgain = () => client.invalidateQueries({ queryKey: [getCountries.path] })
  answer(getCountries, () => ({ items: [country(276, 'Germany')] }))
  await readAgain()
  await waitFor(() => expect(namesOf(ways()[1])).not.toContain(name))
  expect(chosen()).toBe(name)
  answer(getCountries, () => ({ items: [] }))
  await readAgain()
  await waitFor(() => expect(chosen()).toBe('Trojan, through a tunnel · SSH · 276'))
})

test('a data limit, days from first use and devices are optional, and the quote says what they mean', async () => {
  answer(newAccount, () => anAccount())
  answer(quoteAccount, ({ accountDataLimit = null, accountStart }) =>
    aQuote({
      accountDataLimitAfter: accountDataLimit,
      accountStartBy: accountStart === 'firstUse' ? '2027-01-10T08:00:00.000Z' : null,
    }),
  )
  await openFilled()
  expect(screen.getByLabelText<HTMLSelectElement>('The data is for').disabled).toBe(true)
  await retype('Data limit in GB', '50')
  await user.selectOptions(screen.getByLabelText('The data is for'), 'Every 30 days anew')
  await user.selectOptions(screen.getByLabelText('The days begin'), 'With the first connection')
  await retype('Devices at once', '3')
  expect(await screen.findByText('50 GB')).toBeTruthy()
  expect(
    screen.getByText('30 days from the first connection, until February 9, 2027 at the latest'),
  ).toBeTruthy()
  await create()
  await waitFor(() =>
    expect(callsTo(newAccount)[0]?.body).toMatchObject({
      ...{ accountDataLimit: 50, accountDataReset: 'monthly' },
      ...{ accountStart: 'firstUse', accountMaxDevices: 3 },
    }),
  )
})

test('a limit that is no number of GB is refused, and an empty one is none', async () => {
  answer(newAccount, () => anAccount())
  await openFilled()
  await retype('Data limit in GB', '1.5')
  await user.tab()
  expect(await screen.findByText('A whole number of GB from 1 to 100000')).toBeTruthy()
  expect(isDisabled('Create account')).toBe(true)
  await user.clear(screen.getByLabelText('Data limit in GB'))
  await create()
  await waitFor(() => expect(callsTo(newAccount)).toHaveLength(1))
  expect(Object.keys(callsTo(newAccount)[0]?.body ?? {})).not.toContain('accountDataLimit')
})
