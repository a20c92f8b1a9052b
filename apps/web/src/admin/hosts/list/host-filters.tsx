import { type Call, type HostHealth, type HostState, hostHealths, hostStates } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { brokenRules } from '../../../lib/form.ts'
import { SelectField } from '../../../ui/field.tsx'
import { oneOf, useAddressFilter } from '../../kit/address-filter.ts'
import { Filters } from '../../kit/filters.tsx'
import { SearchField } from '../../kit/search-field.tsx'
import { useRuleText } from '../../kit/use-rule-text.ts'

/** What the lists are ordered by; each kind puts its own name before it. */
export const orders = ['Name', '-Accounts', '-CreatedDate'] as const
export type Order = (typeof orders)[number]

/** What an address may say of either list: whoever leads there says it in these words. */
export type HostFilter = Readonly<{ search?: string; state?: HostState; health?: HostHealth; sort?: Order }>
const usual: Record<keyof HostFilter, string> = { search: '', state: 'all', health: 'all', sort: 'Name' }

/** What is looked for, from the address and back to it. A search that the call would refuse is not asked. */
export function useHostFilter(call: Call) {
  const [filter, change] = useAddressFilter(usual)
  const state = oneOf(hostStates, filter.state)
  const health = oneOf(hostHealths, filter.health)
  const order: Order = oneOf(orders, filter.sort) ?? 'Name'
  const searchRule = filter.search ? brokenRules(call, { search: filter.search }).search : undefined
  const isSearched = filter.search !== '' && !searchRule
  return {
    filter,
    change,
    state,
    health,
    order,
    searchRule,
    isNarrow: isSearched || state !== undefined || health !== undefined,
    /** The part of the body that both kinds write alike. */
    body: {
      ...(isSearched && { search: filter.search }),
      ...(state && { state }),
      ...(health && { health }),
    },
    showAll: () => change({ search: '', state: 'all', health: 'all' }),
  }
}

export function HostFilters(found: ReturnType<typeof useHostFilter>) {
  const { filter, change, state, health, order, searchRule } = found
  const { t } = useTranslation('admin')
  const ruleText = useRuleText()
  return (
    <Filters>
      <SearchField
        label={t('hosts.search')}
        value={filter.search}
        onSearch={(search) => change({ search })}
        error={ruleText(searchRule)}
      />
      <SelectField
        label={t('hosts.state')}
        value={state ?? 'all'}
        onValue={(next) => change({ state: next })}
        options={(['all', ...hostStates] as const).map((value) => ({
          value,
          label: t(`hosts.states.${value}`),
        }))}
      />
      <SelectField
        label={t('hosts.health')}
        value={health ?? 'all'}
        onValue={(next) => change({ health: next })}
        options={(['all', ...hostHealths] as const).map((value) => ({
          value,
          label: t(`hosts.healths.${value}`),
        }))}
      />
      <SelectField
        label={t('list.sort')}
        value={order}
        onValue={(sort) => change({ sort })}
        options={orders.map((value) => ({ value, label: t(`hosts.orders.${value}`) }))}
      />
    </Filters>
  )
}
