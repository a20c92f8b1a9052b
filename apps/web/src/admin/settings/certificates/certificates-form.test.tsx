import { defaultSettings, getSettings, type Settings, setSettings } from '@kelid/contract'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { answer, callsTo, refuse } from '../../../../test/answers.ts'
import { show } from '../../../../test/show.tsx'
import { CertificatesForm } from './certificates-form.tsx'

const { certificates } = defaultSettings
const inForce = (change: Partial<Settings['certificates']> = {}) =>
  answer(getSettings, () => ({ ...defaultSettings, certificates: { ...certificates, ...change } }))
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const sentBody = () => {
  const { client, clientVersion, lng, ...body } = callsTo(setSettings)[0]?.body ?? {}
  return body
}

test('an e-mail is saved after a confirmation, with its basis', async () => {
  inForce()
  answer(setSettings, () => defaultSettings)
  show(<CertificatesForm />)
  const review = await screen.findByRole('button', { name: 'Review changes' })
  expect(review).toHaveProperty('disabled', true)
  await userEvent.type(screen.getByLabelText('E-mail for the CA'), 'ops@example')
  expect(review).toHaveProperty('disabled', true)
  await userEvent.type(screen.getByLabelText('E-mail for the CA'), '.com ')
  await press('Review changes')
  expect(await within(await screen.findByRole('dialog')).findByText('ops@example.com')).toBeTruthy()
  await press('Save')
  expect(await screen.findByText('The certificate settings were saved.')).toBeTruthy()
  expect(sentBody()).toEqual({
    certificates: { ...certificates, acmeEmail: 'ops@example.com' },
    basedOn: { certificates },
  })
})

test('the own CA needs no directory, and a typed one is not sent', async () => {
  inForce()
  answer(setSettings, () => defaultSettings)
  show(<CertificatesForm />, { language: 'fa' })
  const directory = await screen.findByLabelText('نشانی فهرست ACME')
  await userEvent.clear(directory)
  expect(screen.getByRole('button', { name: 'بازبینی تغییرها' })).toHaveProperty('disabled', true)
  await userEvent.selectOptions(screen.getByLabelText('امضاکننده'), 'own')
  expect(screen.queryByLabelText('نشانی فهرست ACME')).toBeNull()
  await press('بازبینی تغییرها')
  await press('ذخیره')
  await waitFor(() =>
    expect(sentBody()).toEqual({
      certificates: { ...certificates, source: 'own' },
      basedOn: { certificates },
    }),
  )
})

test('a concurrent change is shown, and saving again accepts it as the basis', async () => {
  inForce()
  answer(setSettings, () => refuse('CHANGED_MEANWHILE'))
  show(<CertificatesForm />)
  await userEvent.selectOptions(await screen.findByLabelText('Issued by'), 'own')
  await press('Review changes')
  inForce({ acmeEmail: 'other@example.com' })
  await press('Save')
  const dialog = within(await screen.findByRole('dialog'))
  expect(await dialog.findByText('Previously')).toBeTruthy()
  expect(dialog.getByText('other@example.com')).toBeTruthy()
  answer(setSettings, () => defaultSettings)
  await press('Save')
  await waitFor(() =>
    expect(callsTo(setSettings).at(-1)?.body).toMatchObject({
      basedOn: { certificates: { acmeEmail: 'other@example.com' } },
    }),
  )
})
