import { defaultSettings, getSettings, type Settings, setSettings } from '@kelid/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { bodiesTo, isDisabled, openDialog, press, user } from '../../../../test/actions.ts'
import { answer, refuse } from '../../../../test/answers.ts'
import { show } from '../../../../test/show.tsx'
import { ClientHelloForm } from './client-hello-form.tsx'

const usual = defaultSettings.clientHello
const inForce = (clientHello: Settings['clientHello'] = usual) =>
  answer(getSettings, () => ({ ...defaultSettings, clientHello }))

test('another fingerprint for all servers is previewed and saved with its basis, also after a concurrent change', async () => {
  inForce()
  answer(setSettings, () => refuse('CHANGED_MEANWHILE'))
  show(<ClientHelloForm />)
  await user.selectOptions(
    within(await screen.findByRole('group', { name: /^Trojan/ })).getByLabelText('TLS fingerprint'),
    'firefox',
  )
  await press('Review fingerprint and ALPN')
  const concurrent = { ...usual, trojan: { ...usual.trojan, fingerprint: 'edge' as const } }
  inForce(concurrent)
  await press('Save')
  expect(await (await openDialog()).findByText('edge')).toBeTruthy()
  answer(setSettings, () => defaultSettings)
  await press('Save')
  expect(await screen.findByText('All subscriptions follow from now on.')).toBeTruthy()
  const clientHello = { ...usual, trojan: { ...usual.trojan, fingerprint: 'firefox' } }
  expect(bodiesTo(setSettings)).toEqual([
    { clientHello, basedOn: { clientHello: usual } },
    { clientHello, basedOn: { clientHello: concurrent } },
  ])
  await waitFor(() => expect(isDisabled('Review fingerprint and ALPN')).toBe(true))
})
