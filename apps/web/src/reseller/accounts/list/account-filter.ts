import {
  type AccountFilterState,
  type AccountSort,
  accountFilters,
  accountSorts,
  getUserAccounts,
} from '@kelid/contract'
import { brokenRules } from '../../../lib/form.ts'

export interface AccountFilter {
  search: string
  state: AccountFilterState | 'all'
  sort: AccountSort
}

export const accountsAtOnce = 40

export const everyAccount: AccountFilter = { search: '', state: 'all', sort: '-accountCreatedDate' }

export const toFilter = (get: (name: keyof AccountFilter) => string | null): AccountFilter => ({
  search: get('search') ?? everyAccount.search,
  state: accountFilters.find((state) => state === get('state')) ?? everyAccount.state,
  sort: accountSorts.find((sort) => sort === get('sort')) ?? everyAccount.sort,
})

export const isNarrow = ({ search, state }: AccountFilter): boolean => search !== '' || state !== 'all'

export const filterBody = ({ search, state, sort }: AccountFilter) => ({
  sort,
  withLinks: false,
  ...(search && !searchRule(search) && { search }),
  ...(state !== 'all' && { state }),
})

export const searchRule = (search: string): string | undefined =>
  search ? brokenRules(getUserAccounts, { search }).search : undefined
