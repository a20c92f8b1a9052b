import {
  confirmSecondFactor,
  defaultSettings,
  getSecondFactor,
  getSettings,
  newRecoveryCodes,
  removeSecondFactor,
  setSettings,
  startSecondFactor,
} from '@kelid/contract'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { confirm, press, retype, user } from '../../../../test/actions.ts'
import { answer, callsTo, refuse } from '../../../../test/answers.ts'
import { show } from '../../../../test/show.tsx'
import { resetNotice } from '../../../lib/notices.ts'
import { SecondFactor } from './second-factor.tsx'

const password = 'Quiet-Harbour-7'
const secret = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const otpauthUrl = `otpauth://totp/Kelid:boss%40example.com?secret=${secret}&issuer=Kelid`
const recoveryCodes = Array.from({ length: 10 }, (_, index) => `ABCD${'ABCDEFGHIJ'[index]}-23456`)
const off = { isOn: false, isRequired: false, recoveryCodesLeft: 0, since: null }
const on = { ...off, isOn: true, recoveryCodesLeft: 10, since: '2026-01-01T00:00:00.000Z' }
let state: typeof off | typeof on

beforeEach(() => {
  state = off
  answer(getSecondFactor, () => state)
  answer(getSettings, () => defaultSettings)
  answer(startSecondFactor, () => ({ secret, otpauthUrl }))
  answer(confirmSecondFactor, () => {
    state = on
    return { recoveryCodes }
  })
})

test('an error is shown at its field until the next key press', async () => {
  show(<SecondFactor />)
  await press('Set up')
  answer(startSecondFactor, () => refuse('WRONG_CREDENTIALS'))
  await retype('Password', password)
  await press('Continue')
  await waitFor(() => expect(screen.getAllByText('The password is wrong')).toHaveLength(2))
  resetNotice()
  await retype('Password', `${password}x`)
  await waitFor(() => expect(screen.queryByText('The password is wrong')).toBeNull())
  answer(startSecondFactor, () => ({ secret, otpauthUrl }))
  await press('Continue')
  answer(confirmSecondFactor, () => refuse('WRONG_CODE'))
  await retype('Code', '000000')
  await press('Switch on')
  await waitFor(() => expect(screen.getAllByText('The code is wrong or was used already')).toHaveLength(2))
})

test('an expired set-up starts again', async () => {
  show(<SecondFactor />)
  await press('Set up')
  await retype('Password', password)
  await press('Continue')
  answer(confirmSecondFactor, () => refuse('RESOURCE_NOT_FOUND'))
  await retype('Code', '123456')
  await press('Switch on')
  expect(await screen.findByText('The set-up has expired; please start again.')).toBeTruthy()
  expect(await screen.findByLabelText('Password')).toBeTruthy()
})

test('an active factor shows its date and remaining codes; new codes and removal need password and code', async () => {
  state = { ...on, recoveryCodesLeft: 2 }
  show(<SecondFactor />)
  expect(await screen.findByText('Few recovery codes are left; create new ones.')).toBeTruthy()
  answer(newRecoveryCodes, () => ({ recoveryCodes }))
  await press('New recovery codes')
  await retype('Password', password)
  await retype('Code', 'abcde-23456')
  await confirm('New recovery codes')
  expect(await screen.findByText(recoveryCodes[9] ?? '')).toBeTruthy()
  expect(callsTo(newRecoveryCodes)[0]?.body).toMatchObject({ password, code: 'abcde-23456' })
  await press('I have saved them')

  answer(removeSecondFactor, () => {
    state = off
  })
  await press('Remove')
  await retype('Password', password)
  await retype('Code', '۱۲۳۴۵۶')
  await confirm('Remove')
  expect(await screen.findByRole('button', { name: 'Set up' })).toBeTruthy()
  expect(await screen.findByText('Second factor removed')).toBeTruthy()
  expect(callsTo(removeSecondFactor)[0]?.body).toMatchObject({ password, code: '123456' })
})

test('the switch makes it required for all, and a refusal is shown', async () => {
  state = on
  show(<SecondFactor />)
  answer(setSettings, () => refuse('SECOND_FACTOR_MISSING'))
  await user.click(await screen.findByRole('switch', { name: 'Second factor required' }))
  expect((await screen.findByRole('alert')).textContent).toContain('Set up your second factor first')
  const settings = { ...defaultSettings, secondFactor: 'required' as const }
  answer(setSettings, () => settings)
  answer(getSettings, () => settings)
  await user.click(screen.getByRole('switch', { name: 'Second factor required' }))
  await waitFor(() => expect(screen.getByRole<HTMLInputElement>('switch').checked).toBe(true))
  expect(callsTo(setSettings)[1]?.body).toMatchObject({
    secondFactor: 'required',
    basedOn: { secondFactor: 'optional' },
  })
})

test('a concurrent change is not overwritten, and the switch shows the current value', async () => {
  state = on
  show(<SecondFactor />)
  const required = await screen.findByRole<HTMLInputElement>('switch', { name: 'Second factor required' })
  answer(getSettings, () => ({ ...defaultSettings, secondFactor: 'required' as const }))
  answer(setSettings, () => refuse('CHANGED_MEANWHILE'))
  await user.click(required)
  expect((await screen.findByRole('alert')).textContent).toContain('Somebody else has changed this')
  await waitFor(() => expect(required.checked).toBe(true))
})
