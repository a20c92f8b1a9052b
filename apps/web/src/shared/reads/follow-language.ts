import { getAccount, getCountries, getUserAccounts } from '@kelid/contract'
import type { QueryClient } from '@tanstack/react-query'
import { languageStore } from '../../lib/current-language.ts'
import { forgetLaterPages } from './pages.ts'

const callsWithCountryNames = [getCountries, getUserAccounts, getAccount]

/** Old names stay visible until the new ones are read. */
export const followLanguage = (client: QueryClient): (() => void) =>
  languageStore.subscribe(() => {
    forgetLaterPages(client)
    for (const { path } of callsWithCountryNames) void client.invalidateQueries({ queryKey: [path] })
  })
