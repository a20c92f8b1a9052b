import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Route, Routes, useNavigate } from 'react-router'
import { expect, test } from 'vitest'
import { show } from '../../../test/show.tsx'
import { Layout } from './layout.tsx'

function Away() {
  const navigate = useNavigate()
  return (
    <button type="button" onClick={() => void navigate('/elsewhere')}>
      away
    </button>
  )
}

async function openMenu() {
  show(
    <Routes>
      <Route element={<Layout search={<Away />} />}>
        <Route path="*" element={<p>a screen</p>} />
      </Route>
    </Routes>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Menu' }))
  return within(await screen.findByRole('dialog', { name: 'Sections' }))
}
const isClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

test('the drawer closes with its button', async () => {
  await userEvent.click((await openMenu()).getByRole('button', { name: 'Close' }))
  await isClosed()
})

test('any other navigation closes the drawer', async () => {
  await openMenu()
  await userEvent.click(screen.getByRole('button', { name: 'away', hidden: true }))
  await isClosed()
})

test('a click on the backdrop closes the drawer, a click on the panel does not', async () => {
  const drawer = await openMenu()
  await userEvent.click(drawer.getByRole('heading'))
  expect(screen.getByRole('dialog')).toBeTruthy()
  await userEvent.click(screen.getByRole('dialog'))
  await isClosed()
})
