import { setUserPhone } from '@kelid/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { press } from '../../../test/actions.ts'
import { answer, noAnswer, refuse } from '../../../test/answers.ts'
import { show } from '../../../test/show.tsx'
import { noticeStore } from '../../lib/notices.ts'
import { useAct } from '../../shared/reads/query.ts'
import { ActDialog } from './act-dialog.tsx'

function Act() {
  const { mutateAsync } = useAct(setUserPhone)
  return (
    <ActDialog
      title="Phone"
      confirm="Save"
      onConfirm={() =>
        mutateAsync({ body: { userEmail: 'sara@kelid.test', userPhone: null, basedOn: null } })
      }
      onClose={() => {}}
    >
      what will change
    </ActDialog>
  )
}

test.each([
  ['a refusal', () => refuse('PHONE_TAKEN'), 'Another user has this phone number'],
  ['no answer', () => noAnswer(), /^No answer from the server/],
] as const)('%s is announced at the top and stays readable in the dialog', async (_, respond, text) => {
  answer(setUserPhone, respond)
  show(<Act />)
  await press('Save')
  await waitFor(() => expect(noticeStore.get()).toMatchObject({ severity: 'error' }))
  expect(noticeStore.get()?.text).toMatch(text)
  expect(within(screen.getByRole('dialog')).getAllByText(text)).toHaveLength(2)
})
