import {
  type Call,
  type HostHealth,
  type HostRoom,
  type HostState,
  hostHealths,
  hostRooms,
  hostStates,
} from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { brokenRules } from '../../../lib/form.ts'
import { SelectField } from '../../../ui/field.tsx'
import { oneOf, useAddressFilter } from '../../kit/address-filter.ts'
import { Filters } from '../../kit/filters.tsx'
import { SearchField } from '../../kit/search-field.tsx'
import { useRuleText } from '../../kit/use-rule-text.ts'
import type { TypeChoice } from '../host-types.ts'

/** Each kind prefixes these with its own name. */
export const orders = ['Name', '-Accounts', '-CreatedDate'] as const
export type Order = (typeof orders)[number]

export type HostFilter = Readonly<{
  search?: string
  type?: string
  state?: HostState
  health?: HostHealth
  room?: HostRoom
  sort?: Order
}>
const all = { search: '', type: 'all', state: 'all', health: 'all', room: 'all' }
const defaults: Record<keyof HostFilter, string> = { ...all, sort: 'Name' }

export function useHostFilter<Body extends object>(call: Call, types: readonly TypeChoice<Body>[]) {
  const [filter, change] = useAddressFilter(defaults)
  const state = oneOf(hostStates, filter.state)
  const health = oneOf(hostHealths, filter.health)
  const room = oneOf(hostRooms, filter.room)
  const type = types.find(({ value }) => value === filter.type)
  const order: Order = oneOf(orders, filter.sort) ?? 'Name'
  const searchRule = filter.search ? brokenRules(call, { search: filter.search }).search : undefined
  const isSearched = filter.search !== '' && !searchRule
  return {
    filter,
    change,
    types,
    type,
    state,
    health,
    room,
    order,
    searchRule,
    isNarrow: isSearched || [type, state, health, room].some((choice) => choice !== undefined),
    body: {
      ...(isSearched && { search: filter.search }),
      ...(state && { state }),
      ...(health && { health }),
      ...(room && { room }),
      ...type?.body,
    },
    showAll: () => change(all),
  }
}

export function HostFilters(props: ReturnType<typeof useHostFilter>) {
  const { filter, change, types, type, state, health, room, order, searchRule } = props
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
        label={t('hosts.type')}
        value={type?.value ?? 'all'}
        onValue={(next) => change({ type: next })}
        options={[{ value: 'all', label: t('hosts.allTypes') }, ...types]}
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
        label={t('hosts.room')}
        value={room ?? 'all'}
        onValue={(next) => change({ room: next })}
        options={(['all', ...hostRooms] as const).map((value) => ({
          value,
          label: t(`hosts.rooms.${value}`),
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
