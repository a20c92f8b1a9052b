import {
  clearUserContact,
  getUser,
  getUserDetail,
  resetUserPassword,
  setUserPhone,
  setUserSuspended,
  type UserDetail,
} from '@kelid/contract'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import {
  bodiesTo,
  confirm,
  fieldValue,
  isDisabled,
  openDialog,
  press,
  retype,
} from '../../../../test/actions.ts'
import { answer, callsTo, refuse } from '../../../../test/answers.ts'
import { show } from '../../../../test/show.tsx'
import { aUser, aUserDetail } from '../../../../test/users.ts'
import { About } from './about.tsx'

const signedInAs = (userEmail: string) =>
  answer(getUser, () => ({ userEmail, userLevel: 6, userPhone: null, userContact: '' }))
beforeEach(() => signedInAs('admin@kelid.test'))
const open = (change: Partial<UserDetail> = {}) => show(<About user={aUserDetail(change)} />)

test('a phone may contain separators, is removed by an empty field, and is refused if taken', async () => {
  answer(setUserPhone, () => refuse('PHONE_TAKEN'))
  open({ userPhone: '+989121234567' })
  await press('Change phone')
  await retype('Phone', '+۹۸ ۹۱۲ ۱۲۳ ۹۹۹۹')
  await press('Save')
  expect(await screen.findAllByText('Another user has this phone number')).toHaveLength(2)
  answer(setUserPhone, () => aUser())
  await retype('Phone', '')
  await press('Save')
  await screen.findByText('The phone of sara@kelid.test was changed.')
  expect(bodiesTo(setUserPhone)).toMatchObject([{ userPhone: '+989121239999' }, { userPhone: null }])
})

test('the contact is text and is cleared if it is still that one', async () => {
  answer(clearUserContact, () => refuse('CHANGED_MEANWHILE'))
  answer(getUserDetail, () => aUserDetail({ userContact: '@good' }))
  open({ userContact: 'https://phishing.example' })
  expect(screen.getByText('https://phishing.example').closest('a')).toBeNull()
  await press('Clear contact')
  await confirm('Clear contact')
  expect(await screen.findByText('Previously')).toBeTruthy()
  expect((await openDialog()).getByText('@good')).toBeTruthy()
  answer(clearUserContact, () => aUserDetail())
  await confirm('Clear contact')
  await screen.findByText('The contact of sara@kelid.test was cleared.')
  expect(bodiesTo(clearUserContact)).toMatchObject([
    { userEmail: 'sara@kelid.test', basedOn: 'https://phishing.example' },
    { userEmail: 'sara@kelid.test', basedOn: '@good' },
  ])
})

test('without a contact there is nothing to clear', () => {
  open()
  expect(screen.getByText('that of this installation')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Clear contact' })).toBeNull()
})

test('a new password needs a confirmation, is shown once, and disappears with its dialog', async () => {
  answer(resetUserPassword, () => ({ userEmail: 'sara@kelid.test', password: 'Xy7-correct-horse' }))
  const { client } = open()
  await press('Reset password')
  await press('Replace password')
  expect(await screen.findByText('Xy7-correct-horse')).toBeTruthy()
  await press('Done')
  await waitFor(() => expect(screen.queryByText('Xy7-correct-horse')).toBeNull())
  const cached = [client.getQueryCache().getAll(), client.getMutationCache().getAll()].flat()
  expect(JSON.stringify(cached.map(({ state }) => state))).not.toContain('Xy7')
  await press('Reset password')
  expect(await screen.findByRole('button', { name: 'Replace password' })).toBeTruthy()
  expect(callsTo(resetUserPassword)).toHaveLength(1)
})

test('an administrator cannot reset their own password, because the session would end', async () => {
  signedInAs('sara@kelid.test')
  open({ userLevel: 6 })
  await press('Reset password')
  expect(await screen.findByText(/This is you: .* Change your own password in the settings/)).toBeTruthy()
  expect(isDisabled('Replace password')).toBe(true)
})

test('a user whom another administrator suspended first is shown as such, and nothing is left to do', async () => {
  answer(setUserSuspended, () => refuse('CHANGED_MEANWHILE'))
  answer(getUserDetail, () => aUserDetail({ userSuspended: true }))
  open()
  await press('Suspend')
  await retype('Reason', 'unpaid')
  await confirm('Suspend')
  expect(await screen.findByText('Previously')).toBeTruthy()
  expect(callsTo(setUserSuspended)[0]?.body).toMatchObject({ userSuspended: true, basedOn: false })
  expect(fieldValue('Reason')).toBe('unpaid')
  expect((await openDialog()).getByRole('button', { name: 'Suspend' })).toHaveProperty('disabled', true)
})
