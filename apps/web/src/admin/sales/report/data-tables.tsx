import { type Answer, type getDataSold, type HostKind, providerGigabyte } from '@kelid/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber, formatPercent } from '../../../lib/format.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { formatBytes, isolated } from '../../../shared/format-bytes.ts'
import { Count } from '../../kit/count.tsx'
import { DataTable } from '../../kit/data-table.tsx'
import { Section } from '../../kit/section.tsx'

type Report = Answer<typeof getDataSold>
type HostRow = Report['dataByHost'][number]
type PlanRow = Report['dataByPlan'][number]
type Sold = Pick<PlanRow, 'limitedAccounts' | 'unlimitedAccounts' | 'soldBytes' | 'usedBytes'>

/** The columns that hosts and plans share. */
function useSoldColumns() {
  const { t } = useTranslation('admin/sales')
  const language = useLanguage()
  const bytes = (value: number) => isolated(formatBytes(value, language))
  return {
    bytes,
    columns: [
      {
        title: t('dataSold.accounts'),
        isNumber: true,
        cell: ({ limitedAccounts }: Sold) => formatNumber(limitedAccounts, language),
      },
      { title: t('dataSold.sold'), isNumber: true, cell: ({ soldBytes }: Sold) => bytes(soldBytes) },
      {
        title: t('dataSold.used'),
        isNumber: true,
        cell: ({ soldBytes, usedBytes }: Sold) =>
          soldBytes === 0
            ? bytes(usedBytes)
            : `${bytes(usedBytes)} (${formatPercent(usedBytes / soldBytes, language)})`,
      },
      {
        title: t('dataSold.unlimited'),
        isNumber: true,
        cell: ({ unlimitedAccounts }: Sold) => formatNumber(unlimitedAccounts, language),
      },
    ],
  }
}

interface HostProps {
  report: Report
  linkToHost: (kind: HostKind, uuid: string, name: ReactNode) => ReactNode
}

export function DataByHost({ report, linkToHost }: HostProps) {
  const { t } = useTranslation('admin/sales')
  const language = useLanguage()
  const { columns, bytes } = useSoldColumns()
  const quotaOf = ({ quota, quotaMonth }: HostRow) =>
    quotaMonth
      ? t('dataSold.ofQuota', {
          share: formatPercent(quotaMonth.quotaUsed / (quota * providerGigabyte), language),
          quota: formatNumber(quota, language),
        })
      : undefined
  return (
    <Section title={t('dataSold.byHost')}>
      <p>{t('dataSold.hostText')}</p>
      <Count total={report.hostCount} listed={report.dataByHost.length} />
      <DataTable
        label={t('dataSold.byHost')}
        rows={report.dataByHost}
        keyOf={({ uuid }) => uuid}
        columns={[
          {
            title: t('dataSold.host'),
            isName: true,
            cell: ({ subject, uuid, name }) => linkToHost(subject, uuid, <bdi dir="ltr">{name}</bdi>),
          },
          ...columns,
          { title: t('dataSold.carried'), isNumber: true, cell: ({ carriedBytes }) => bytes(carriedBytes) },
          { title: t('dataSold.quota'), isNumber: true, cell: quotaOf },
        ]}
      />
    </Section>
  )
}

export function DataByPlan({ report }: { report: Report }) {
  const { t } = useTranslation('admin/sales')
  const { columns } = useSoldColumns()
  return (
    <Section title={t('dataSold.byPlan')}>
      <DataTable
        label={t('dataSold.byPlan')}
        rows={report.dataByPlan}
        keyOf={(row) => String(report.dataByPlan.indexOf(row))}
        columns={[
          {
            title: t('dataSold.plan'),
            isName: true,
            cell: ({ planName }) => (planName === null ? t('dataSold.withoutPlan') : <bdi>{planName}</bdi>),
          },
          ...columns,
        ]}
      />
    </Section>
  )
}
