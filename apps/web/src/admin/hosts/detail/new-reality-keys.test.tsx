import { newRealityKeys } from '@kelid/contract'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { bodiesTo, confirm, dialogCloses, openDialog, press } from '../../../../test/actions.ts'
import { answer } from '../../../../test/answers.ts'
import { aServer } from '../../../../test/hosts.ts'
import { show } from '../../../../test/show.tsx'
import { hostOfServer } from '../host/host.ts'
import { NewRealityKeys } from './new-reality-keys.tsx'

const open = (change: Parameters<typeof aServer>[0]) => {
  const server = aServer(change)
  show(<NewRealityKeys host={hostOfServer(server)} server={server} />)
  return server
}
const reality = { publicKey: 'x', shortId: '01', changedDate: null }

test('new keys are asked for after saying whose links stop, and when', async () => {
  answer(newRealityKeys, () => aServer())
  const { serverUUID } = open({ serverReality: reality, serverAccounts: 214 })
  await press('New keys')
  const dialog = await openDialog()
  expect(await dialog.findByText(/^214 accounts are on it/)).toBeTruthy()
  await confirm('New keys')
  await dialogCloses()
  expect(bodiesTo(newRealityKeys)).toEqual([{ serverUUID }])
  expect(await screen.findByText('fra-1 gets new keys')).toBeTruthy()
})

test('while two pairs work the keys cannot be changed', async () => {
  open({ serverReality: { ...reality, changedDate: '2026-03-01T10:00:00Z' } })
  await press('New keys')
  const dialog = await openDialog()
  expect(await dialog.findByText(/^The keys were changed on/)).toBeTruthy()
  await waitFor(() =>
    expect(dialog.getByRole('button', { name: 'New keys' })).toHaveProperty('disabled', true),
  )
})

test('a server without REALITY has no keys', () => {
  open({ serverReality: null })
  expect(screen.queryByRole('button', { name: 'New keys' })).toBe(null)
})
