import type { AnyAccountWay } from '@kelid/contract'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { When } from '../../../shared/when.tsx'
import { type Column, DataTable } from '../../kit/data-table.tsx'
import { Mark } from '../../kit/mark.tsx'
import { Section } from '../../kit/section.tsx'
import { adminShapes } from '../../kit/shapes.ts'
import type { Places } from './places.ts'

interface Props {
  ways: readonly AnyAccountWay[]
  paths: Places
}

/** The preferred way comes first. */
export function AccountWays({ ways, paths }: Props) {
  const { t } = useTranslation('admin')
  const columns = useMemo((): Column<AnyAccountWay>[] => {
    const link = (to: string, name: ReactNode) => (
      <Link to={to}>
        <bdi>{name}</bdi>
      </Link>
    )
    return [
      {
        title: t('adminAccounts.server'),
        cell: ({ serverUUID, serverName }) => link(paths.server(serverUUID), serverName),
        isName: true,
      },
      {
        title: t('adminAccounts.tunnel'),
        cell: ({ tunnelUUID, tunnelName }) => (tunnelUUID ? link(paths.tunnel(tunnelUUID), tunnelName) : '–'),
      },
      {
        title: t('adminAccounts.type'),
        cell: ({ accountVPNType, server }) =>
          [t(`vpnTypes.${accountVPNType}`), server.country.countryName].filter(Boolean).join(' · '),
      },
      { title: t('adminAccounts.ways.state'), cell: (way) => <WayState way={way} /> },
      {
        title: t('adminAccounts.applied'),
        cell: ({ wayApplied }) => t(`adminAccounts.appliedStates.${wayApplied}`),
      },
      {
        title: t('adminAccounts.ways.lastBytes'),
        cell: ({ wayLastSeenDate: date }) => (date ? <When date={date} /> : t('adminAccounts.never')),
      },
    ]
  }, [t, paths])
  return (
    <Section title={t('adminAccounts.ways.title')}>
      <DataTable
        label={t('adminAccounts.ways.title')}
        columns={columns}
        rows={[...ways]}
        keyOf={({ serverUUID }) => serverUUID}
      />
    </Section>
  )
}

function WayState({ way: { wayDown, wayBlocked } }: { way: AnyAccountWay }) {
  const { t } = useTranslation('admin')
  if (wayDown)
    return (
      <Mark is="bad" icon={adminShapes.close}>
        {t('adminAccounts.ways.down')}
      </Mark>
    )
  return wayBlocked ? (
    <Mark is="bad" icon={adminShapes.ban}>
      {t('adminAccounts.ways.blocked')}
    </Mark>
  ) : (
    <Mark is="good" icon={adminShapes.check}>
      {t('adminAccounts.ways.works')}
    </Mark>
  )
}
