import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { StrictMode, useState } from 'react'
import { expect, test } from 'vitest'
import { show } from '../../../test/show.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from './dialog.tsx'

function Renewal() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Renew</Button>
      {isOpen && (
        <Dialog title="Renew ali" onClose={() => setOpen(false)}>
          days
        </Dialog>
      )}
    </>
  )
}

test('in strict mode, where effects run twice, the dialog stays open until it is closed', async () => {
  show(
    <StrictMode>
      <Renewal />
    </StrictMode>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Renew' }))
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(screen.getByRole('dialog', { name: 'Renew ali' })).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})
