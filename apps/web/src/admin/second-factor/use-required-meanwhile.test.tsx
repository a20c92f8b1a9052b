import { getSecondFactor, getUsers } from '@kelid/contract'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answer, refuse } from '../../../test/answers.ts'
import { show } from '../../../test/show.tsx'
import { useRead } from '../../shared/reads/query.ts'
import { useSecondFactorRequirement } from './use-required-meanwhile.ts'

function Reader() {
  useSecondFactorRequirement()
  const { data: factor } = useRead(getSecondFactor, {})
  useRead(getUsers, {}, { isEnabled: factor !== undefined })
  return factor?.isRequired ? 'a second factor first' : null
}

test('a factor that becomes required during a session is noticed at the first refusal', async () => {
  let isRequired = false
  answer(getSecondFactor, () => ({ isOn: false, isRequired, recoveryCodesLeft: 0, since: null }))
  answer(getUsers, () => {
    isRequired = true
    return refuse('SECOND_FACTOR_MISSING')
  })
  show(<Reader />)
  expect(await screen.findByText('a second factor first')).toBeTruthy()
})
