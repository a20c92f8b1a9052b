import { screen } from '@testing-library/react'
import { Route, Routes, useNavigate } from 'react-router'
import { expect, test } from 'vitest'
import { dialogCloses, openDialog, press, user } from '../../../test/actions.ts'
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
  await press('Menu')
  return openDialog()
}

test('the drawer closes with its button', async () => {
  await user.click((await openMenu()).getByRole('button', { name: 'Close' }))
  await dialogCloses()
})

test('any other navigation closes the drawer', async () => {
  await openMenu()
  await user.click(screen.getByRole('button', { name: 'away', hidden: true }))
  await dialogCloses()
})

test('a click on the backdrop closes the drawer, a click on the panel does not', async () => {
  const drawer = await openMenu()
  await user.click(drawer.getByRole('heading'))
  expect(screen.getByRole('dialog')).toBeTruthy()
  await user.click(screen.getByRole('dialog'))
  await dialogCloses()
})
