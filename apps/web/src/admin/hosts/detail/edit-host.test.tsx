import { editHost } from '@kelid/contract'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { answer, callsTo } from '../../../../test/answers.ts'
import { aTunnel, tunnelUUID } from '../../../../test/hosts.ts'
import { show } from '../../../../test/show.tsx'
import { EditHost } from './edit-host.tsx'

test('a tunnel offers its own fields and none of a server', async () => {
  answer(editHost, () => ({}))
  show(<EditHost kind="tunnel" host={aTunnel()} onClose={() => {}} />)
  const user = userEvent.setup({ delay: null })
  const email = await screen.findByLabelText('Creator’s e-mail')
  expect(screen.queryByLabelText('Provider')).toBeNull()
  await user.clear(email)
  await user.type(email, 'new@example.com')
  await user.clear(screen.getByLabelText('Maximum accounts'))
  await user.type(screen.getByLabelText('Maximum accounts'), '۴۰۰')
  await user.type(screen.getByLabelText('SSH user name'), 'deploy')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(callsTo(editHost)).toHaveLength(1))
  expect(callsTo(editHost)[0]?.body).toMatchObject({
    hostUUID: tunnelUUID,
    tunnelCreatorEmail: 'new@example.com',
    tunnelMaxAccounts: 400,
    tunnelSSHUsername: 'deploy',
    basedOn: { tunnelCreatorEmail: 'owner@example.com', tunnelMaxAccounts: 300 },
  })
})
