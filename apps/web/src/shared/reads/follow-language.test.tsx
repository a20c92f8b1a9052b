import { getCountries, getUserCredit } from '@kelid/contract'
import { act, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { answerBalances } from '../../../test/accounts.ts'
import { answer, callsTo } from '../../../test/answers.ts'
import { netherlands } from '../../../test/hosts.ts'
import { show } from '../../../test/show.tsx'
import { languageStore } from '../../lib/current-language.ts'
import { followLanguage } from './follow-language.ts'
import { useRead } from './query.ts'

function Names() {
  const countries = useRead(getCountries, {})
  const credit = useRead(getUserCredit, {})
  return (
    <p>
      {countries.data?.items[0]?.countryName} {credit.data?.userCredit}
    </p>
  )
}

test('a new language reads only what contains country names again', async () => {
  answerBalances(7)
  answer(getCountries, ({ lng }) => ({
    items: [{ ...netherlands, countryName: lng === 'fa' ? 'هلند' : 'Netherlands' }],
  }))
  const { client } = show(<Names />)
  const leave = followLanguage(client)
  expect(await screen.findByText('Netherlands 7')).toBeTruthy()
  act(() => languageStore.set('fa'))
  expect(await screen.findByText('هلند 7')).toBeTruthy()
  expect(callsTo(getUserCredit)).toHaveLength(1)
  leave()
})
