import { changePassword } from '@kelid/contract'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { answer, callsTo } from '../../../../test/answers.ts'
import { show } from '../../../../test/show.tsx'
import { PasswordForm } from './password-form.tsx'

test('a new password equal to the current one shows an error and is not sent', async () => {
  answer(changePassword, () => null)
  show(<PasswordForm />)
  await userEvent.type(screen.getByLabelText('Current password'), 'Abi-Asman-88')
  await userEvent.type(screen.getByLabelText('New password'), 'Abi-Asman-88')
  await userEvent.tab()
  expect(screen.getByText('A password other than the current one')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Change password' })).toHaveProperty('disabled', true)
  await userEvent.type(screen.getByLabelText('New password'), '9')
  await userEvent.click(screen.getByRole('button', { name: 'Change password' }))
  expect(callsTo(changePassword)).toHaveLength(1)
})
