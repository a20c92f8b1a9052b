import { getServers, type ServerSort } from '@kelid/contract'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { PagedTable } from '../../kit/paged-table.tsx'
import { useLiveReads } from '../../kit/use-live-reads.ts'
import { CountryName } from '../host/country-name.tsx'
import { hostOfListed, type ListedServer } from '../host/host.ts'
import { serverTypeChoices } from '../host-types.ts'
import { hostColumns } from './host-columns.tsx'
import { HostFilters, type Order, useHostFilter } from './host-filters.tsx'
import { None } from './none.tsx'

const sorts: Record<Order, ServerSort> = {
  Name: 'serverName',
  '-Accounts': '-serverAccounts',
  '-CreatedDate': '-serverCreatedDate',
}
const calls = [getServers]

interface Props {
  pathOf: (serverUUID: string) => string
  add: ReactNode
}

export function ServerList({ pathOf, add }: Props) {
  const { t } = useTranslation('admin')
  const filter = useHostFilter(getServers, serverTypeChoices)
  useLiveReads(calls, ({ type }) => type === 'server')
  const columns = useMemo(
    () =>
      hostColumns<ListedServer>(t, hostOfListed, pathOf, {
        type: ({ serverType, serverVPNType }) => [serverType, serverVPNType].filter(Boolean).join(' · '),
        own: [
          { title: t('hosts.country'), cell: ({ country }) => country && <CountryName country={country} /> },
        ],
      }),
    [t, pathOf],
  )
  return (
    <>
      <HostFilters {...filter} />
      <PagedTable
        call={getServers}
        body={{ ...filter.body, sort: sorts[filter.order] }}
        label={t('servers.title')}
        columns={columns}
        idOf={({ serverUUID }) => serverUUID}
        failed={t('client.fetchingServers')}
        empty={<None text={t('client.noServers')} add={add} />}
        isNarrow={filter.isNarrow}
        onShowAll={filter.showAll}
      />
    </>
  )
}
