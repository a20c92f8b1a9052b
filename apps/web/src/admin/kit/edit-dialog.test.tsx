import { getUser, setUserPhone } from '@kelid/contract'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { answer, callsTo, refuse } from '../../../test/answers.ts'
import { show } from '../../../test/show.tsx'
import { aUser } from '../../../test/users.ts'
import { useAct, useRead } from '../../shared/reads/query.ts'
import { EditDialog } from './edit-dialog.tsx'

const userEmail = 'sara@kelid.test'
const close = vi.fn()

function PhoneOfUser({ read }: { read: () => Promise<string> }) {
  useRead(getUser, {})
  const { mutateAsync } = useAct(setUserPhone)
  const edit = {
    title: 'Phone',
    label: 'Phone number',
    initial: '+989121111111',
    textOf: String,
    valueOf: String,
    ruleOf: () => undefined,
    describe: String,
    read,
    save: (userPhone: string, basedOn: string) => mutateAsync({ body: { userEmail, userPhone, basedOn } }),
    done: 'The phone was changed.',
  }
  return <EditDialog edit={edit} onClose={close} />
}

async function saveAfterChangeTo(now: string) {
  answer(getUser, () => ({ userEmail, userLevel: 6, userPhone: null }))
  answer(setUserPhone, ({ basedOn }) => (basedOn === now ? aUser() : refuse('CHANGED_MEANWHILE')))
  show(<PhoneOfUser read={async () => now} />)
  const field = await screen.findByLabelText<HTMLInputElement>('Phone number')
  await userEvent.clear(field)
  await userEvent.type(field, '+989123333333')
  await waitFor(() => expect(callsTo(getUser)).toHaveLength(1))
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  const dialog = within(screen.getByRole('dialog'))
  expect(await dialog.findByText('Previously')).toBeTruthy()
  expect(dialog.getAllByText(/Somebody else has changed this/)).toBeTruthy()
  return { dialog, field }
}

test('a concurrent change is shown beside the input, and the next press is based on it', async () => {
  const { dialog, field } = await saveAfterChangeTo('+989122222222')
  for (const value of ['+989121111111', '+989122222222', '+989123333333'])
    expect(dialog.getByText(value)).toBeTruthy()
  expect(field.value).toBe('+989123333333')
  await waitFor(() => expect(callsTo(getUser)).toHaveLength(2))
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('The phone was changed.')).toBeTruthy()
  expect(callsTo(setUserPhone).map(({ body }) => body.basedOn)).toEqual(['+989121111111', '+989122222222'])
  expect(close).toHaveBeenCalled()
})

test('nothing is left to save if the other administrator saved the same value', async () => {
  const { dialog } = await saveAfterChangeTo('+989123333333')
  expect(dialog.queryByText('After')).toBeNull()
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true)
})
