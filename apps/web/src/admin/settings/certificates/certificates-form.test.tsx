import { defaultSettings, getSettings, type Settings, setSettings } from '@kelid/contract'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { isDisabled, lastBodyTo, openDialog, press, retype, user } from '../../../../test/actions.ts'
import { answer, refuse } from '../../../../test/answers.ts'
import { show } from '../../../../test/show.tsx'
import words from '../../words/fa.json' with { type: 'json' }
import { CertificatesForm } from './certificates-form.tsx'

const { certificates } = defaultSettings
const inForce = (change: Partial<Settings['certificates']> = {}) =>
  answer(getSettings, () => ({ ...defaultSettings, certificates: { ...certificates, ...change } }))

test('an e-mail is saved after a confirmation, with its basis', async () => {
  inForce()
  answer(setSettings, () => defaultSettings)
  show(<CertificatesForm />)
  await retype('E-mail for the CA', 'ops@example')
  expect(isDisabled('Review changes')).toBe(true)
  await retype('E-mail for the CA', 'ops@example.com ')
  await press('Review changes')
  expect(await (await openDialog()).findByText('ops@example.com')).toBeTruthy()
  await press('Save')
  expect(await screen.findByText('The certificate settings were saved.')).toBeTruthy()
  expect(lastBodyTo(setSettings)).toEqual({
    certificates: { ...certificates, acmeEmail: 'ops@example.com' },
    basedOn: { certificates },
  })
})

test('the own CA needs no directory, and a typed one is not sent', async () => {
  inForce()
  answer(setSettings, () => defaultSettings)
  show(<CertificatesForm />, { language: 'fa' })
  await retype('نشانی فهرست ACME', 'http://acme.example.com')
  expect(screen.getByText(words.rules.httpsAddress)).toBeTruthy()
  expect(isDisabled('بازبینی تغییرها')).toBe(true)
  await user.selectOptions(screen.getByLabelText('امضاکننده'), 'own')
  expect(screen.queryByLabelText('نشانی فهرست ACME')).toBeNull()
  await press('بازبینی تغییرها')
  await press('ذخیره')
  await waitFor(() =>
    expect(lastBodyTo(setSettings)).toEqual({
      certificates: { ...certificates, source: 'own' },
      basedOn: { certificates },
    }),
  )
})

test('a concurrent change is shown, and saving again accepts it as the basis', async () => {
  inForce()
  answer(setSettings, () => refuse('CHANGED_MEANWHILE'))
  show(<CertificatesForm />)
  await user.selectOptions(await screen.findByLabelText('Issued by'), 'own')
  await press('Review changes')
  inForce({ acmeEmail: 'other@example.com' })
  await press('Save')
  const dialog = await openDialog()
  expect(await dialog.findByText('Previously')).toBeTruthy()
  expect(dialog.getByText('other@example.com')).toBeTruthy()
  answer(setSettings, () => defaultSettings)
  await press('Save')
  await waitFor(() =>
    expect(lastBodyTo(setSettings)).toMatchObject({
      basedOn: { certificates: { acmeEmail: 'other@example.com' } },
    }),
  )
})
