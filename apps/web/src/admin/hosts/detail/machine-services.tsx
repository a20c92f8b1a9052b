import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../../kit/data-table.tsx'
import { Latin } from '../../kit/latin.tsx'
import type { ListedHost } from '../host/host.ts'
import { portsText, type Service } from '../host/machine.ts'
import { hostColumns } from '../list/host-columns.tsx'

interface Props {
  services: readonly Service[]
  pathOf: (service: Service) => string
}

const hostOf = (service: Service): ListedHost => ({
  uuid: service.hostUUID,
  name: service.hostName,
  url: service.hostURL,
  state: service.hostState,
  isPaused: service.hostPaused,
  health: service.hostHealth,
  accounts: service.hostAccounts,
  maxAccounts: service.hostMaxAccounts,
})

export function MachineServices({ services, pathOf }: Props) {
  const { t } = useTranslation('admin')
  const columns = useMemo(() => {
    const pathTo = (uuid: string) => services.filter(({ hostUUID }) => hostUUID === uuid).map(pathOf)[0] ?? ''
    return hostColumns<Service>(t, hostOf, pathTo, {
      type: ({ hostType }) => hostType,
      own: [
        {
          title: t('hosts.port'),
          cell: (service) => (service.ports.length > 0 ? <Latin>{portsText(service)}</Latin> : undefined),
        },
      ],
    })
  }, [t, services, pathOf])
  return (
    <DataTable
      label={t('machines.services')}
      columns={columns}
      rows={[...services]}
      keyOf={({ hostUUID }) => hostUUID}
    />
  )
}
