import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Link, Route, Routes } from 'react-router'
import { afterEach, expect, test } from 'vitest'
import { show } from '../../../test/show.tsx'
import { DataTable } from './data-table.tsx'

afterEach(() => document.getSelection()?.removeAllRanges())

const columns = [
  { title: 'Name', isName: true, cell: (name: string) => <Link to={`/${name}`}>{name}</Link> },
  { title: 'Place', cell: () => <span>Frankfurt</span> },
  {
    title: 'Acts',
    isActs: true,
    cell: () => (
      <>
        <button type="button">Pause</button>
        <label>
          <input type="checkbox" />
          Chosen
        </label>
      </>
    ),
  },
]

const open = () =>
  show(
    <Routes>
      <Route
        path="/"
        element={<DataTable label="Servers" columns={columns} rows={['fra-1']} keyOf={(name) => name} />}
      />
      <Route path="/fra-1" element={<p>the page of fra-1</p>} />
    </Routes>,
  )
const isOpen = () => screen.queryByText('the page of fra-1') !== null

test('controls in a row keep their own action, and the row has one link', async () => {
  open()
  await userEvent.click(screen.getByRole('button', { name: 'Pause' }))
  await userEvent.click(screen.getByRole('checkbox', { name: 'Chosen' }))
  await userEvent.click(screen.getByText('Chosen'))
  expect(isOpen()).toBe(false)
  expect(screen.getAllByRole('link')).toHaveLength(1)
  await userEvent.click(screen.getByRole('link', { name: 'fra-1' }))
  expect(isOpen()).toBe(true)
})

test.each(['Control', 'Shift', 'Meta', 'Alt'])('a click with %s does not open the row', async (key) => {
  open()
  const user = userEvent.setup()
  await user.keyboard(`{${key}>}`)
  await user.click(screen.getByText('Frankfurt'))
  await user.keyboard(`{/${key}}`)
  expect(isOpen()).toBe(false)
})

test('selecting text in a row does not open it', async () => {
  open()
  const user = userEvent.setup()
  const place = screen.getByText('Frankfurt')
  await user.pointer([
    { keys: '[MouseLeft>]', target: place, offset: 0 },
    { target: place, offset: 5 },
    { keys: '[/MouseLeft]', target: place, offset: 5 },
  ])
  expect(document.getSelection()?.toString()).toBe('Frank')
  expect(isOpen()).toBe(false)
})
