import { getTunnels, type TunnelSort } from '@kelid/contract'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { PagedTable } from '../../kit/paged-table.tsx'
import { useLiveReads } from '../../kit/use-live-reads.ts'
import { hostOfTunnel, type Tunnel } from '../host/host.ts'
import { tunnelTypeChoices } from '../host-types.ts'
import { hostColumns } from './host-columns.tsx'
import { HostFilters, type Order, useHostFilter } from './host-filters.tsx'
import { None } from './none.tsx'

const sorts: Record<Order, TunnelSort> = {
  Name: 'tunnelName',
  '-Accounts': '-tunnelAccounts',
  '-CreatedDate': '-tunnelCreatedDate',
}
const calls = [getTunnels]

interface Props {
  pathOf: (tunnelUUID: string) => string
  add: ReactNode
}

export function TunnelList({ pathOf, add }: Props) {
  const { t } = useTranslation('admin')
  const filter = useHostFilter(getTunnels, tunnelTypeChoices)
  useLiveReads(calls, ({ type }) => type === 'tunnel')
  const columns = useMemo(
    () => hostColumns<Tunnel>(t, hostOfTunnel, pathOf, { type: ({ tunnelType }) => tunnelType }),
    [t, pathOf],
  )
  return (
    <>
      <HostFilters {...filter} />
      <PagedTable
        call={getTunnels}
        body={{ ...filter.body, sort: sorts[filter.order] }}
        label={t('tunnels.title')}
        columns={columns}
        idOf={({ tunnelUUID }) => tunnelUUID}
        failed={t('tunnels.failed')}
        empty={<None text={t('client.noTunnels')} add={add} />}
        isNarrow={filter.isNarrow}
        onShowAll={filter.showAll}
      />
    </>
  )
}
