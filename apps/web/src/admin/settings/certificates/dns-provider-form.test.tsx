import { defaultSettings, getDnsProvider, getSettings, setDnsProvider } from '@kelid/contract'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { isDisabled, lastBodyTo, openDialog, press, retype, user } from '../../../../test/actions.ts'
import { answer } from '../../../../test/answers.ts'
import { show } from '../../../../test/show.tsx'
import words from '../words/fa.json' with { type: 'json' }
import { CertificatesForm } from './certificates-form.tsx'

const { certificates } = defaultSettings
const stored = (dnsProvider: string, dnsVariables: string[]) =>
  answer(getDnsProvider, () => ({ dnsProvider, dnsVariables }))

test('the credentials of a DNS provider are checked, confirmed, sent and not shown again', async () => {
  answer(getSettings, () => defaultSettings)
  stored('', [])
  answer(setDnsProvider, () => ({ dnsProvider: 'desec', dnsVariables: ['DESEC_TOKEN'] }))
  show(<CertificatesForm />)
  await user.selectOptions(await screen.findByLabelText('Issued by'), 'dns')
  expect(await screen.findByText('No provider is stored yet.')).toBeTruthy()
  expect(isDisabled('Save the DNS provider')).toBe(true)
  await user.selectOptions(screen.getByLabelText('Provider'), 'desec')
  await retype('Credentials', 'DESEC_TOKEN_FILE=/etc/shadow')
  expect(screen.getByText('Lines NAME=value with variables that this DNS provider has')).toBeTruthy()
  expect(isDisabled('Save the DNS provider')).toBe(true)
  await retype('Credentials', 'DESEC_TOKEN=secret-of-ours')
  await press('Save the DNS provider')
  const dialog = await openDialog()
  expect(dialog.queryByText(/secret-of-ours/)).toBeNull()
  stored('desec', ['DESEC_TOKEN'])
  await press('Save')
  await waitFor(() =>
    expect(lastBodyTo(setDnsProvider)).toEqual({
      dnsProvider: 'desec',
      dnsCredentials: 'DESEC_TOKEN=secret-of-ours',
    }),
  )
  expect(await screen.findByText('desec: DESEC_TOKEN')).toBeTruthy()
  expect((screen.getByLabelText('Credentials') as HTMLTextAreaElement).value).toBe('')
})

test('DNS-01 in Persian: what is stored is named, without its values', async () => {
  answer(getSettings, () => ({
    ...defaultSettings,
    certificates: { ...certificates, source: 'dns' as const },
  }))
  stored('cloudflare', ['CF_DNS_API_TOKEN'])
  show(<CertificatesForm />, { language: 'fa' })
  expect(await screen.findByText('cloudflare: CF_DNS_API_TOKEN')).toBeTruthy()
  expect(screen.getByLabelText(words.network.acmeDirectory)).toBeTruthy()
  expect(isDisabled(words.network.dnsSave)).toBe(true)
})
