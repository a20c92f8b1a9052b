// @vitest-environment jsdom

import { act, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { show, useTestApi } from '../../../test/show.tsx'
import { openSession } from '../../lib/session.ts'
import { SecondFactorOffer } from './offer.tsx'

useTestApi()

test('offered until somebody says later, and again to whoever signs in next', async () => {
  const offer = <SecondFactorOffer to="/there/" />
  const view = show(offer)
  expect(screen.getByRole('link', { name: 'Set up' }).getAttribute('href')).toBe('/there/')
  await userEvent.click(screen.getByRole('button', { name: 'Later' }))
  expect(screen.queryByRole('link')).toBeNull()
  view.unmount()
  show(offer)
  expect(screen.queryByRole('link')).toBeNull()
  act(() => openSession('another-token'))
  expect(screen.getByRole('link', { name: 'Set up' })).toBeTruthy()
})
