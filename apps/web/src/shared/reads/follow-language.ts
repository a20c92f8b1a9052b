import { getAccount, getCountries, getUserAccounts } from '@kelid/contract'
import type { QueryClient } from '@tanstack/react-query'
import { languageStore } from '../../lib/current-language.ts'
import { forgetLaterPages } from './pages.ts'

/** A reseller's answers that name countries, in the language they were asked in. */
const inLanguage = [getCountries, getUserAccounts, getAccount]

/** After a switch of the language, what names things is read again; until it is there the old names stay. */
export const followLanguage = (client: QueryClient): (() => void) =>
  languageStore.subscribe(() => {
    forgetLaterPages(client)
    for (const { path } of inLanguage) void client.invalidateQueries({ queryKey: [path] })
  })
