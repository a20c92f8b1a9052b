import { getSecondFactor } from '@kelid/contract'
import { act, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { hrefOf, press } from '../../../../test/actions.ts'
import { answer, callsTo } from '../../../../test/answers.ts'
import { show } from '../../../../test/show.tsx'
import { openSession } from '../../../lib/session.ts'
import { adminPaths } from '../../paths.ts'
import { SecondFactorOffer } from './offer.tsx'

const off = { isOn: false, isRequired: false, recoveryCodesLeft: 0, since: null }

test('the offer stays until it is postponed, and returns after the next sign-in', async () => {
  answer(getSecondFactor, () => off)
  const view = show(<SecondFactorOffer />)
  await screen.findByRole('link')
  expect(hrefOf('Set up')).toBe(adminPaths.security)
  await press('Later')
  expect(screen.queryByRole('link')).toBeNull()
  view.unmount()
  show(<SecondFactorOffer />)
  expect(screen.queryByRole('link')).toBeNull()
  act(() => openSession('another-token'))
  expect(await screen.findByRole('link', { name: 'Set up' })).toBeTruthy()
})

test.each([
  ['to an administrator with a second factor', { ...off, isOn: true }, '/dashboard/'],
  ['on the screen that sets it up', off, adminPaths.security],
])('the offer is not made %s', async (_, factor, at) => {
  answer(getSecondFactor, () => factor)
  show(<SecondFactorOffer />, { at })
  await act(async () => {})
  expect(callsTo(getSecondFactor)).toHaveLength(1)
  expect(screen.queryByRole('link')).toBeNull()
})
