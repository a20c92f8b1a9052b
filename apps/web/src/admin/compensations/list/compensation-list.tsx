import { getCompensations, type HostKind } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatNumber } from '../../../lib/format.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { When } from '../../../shared/when.tsx'
import type { Column } from '../../kit/data-table.tsx'
import { Latin } from '../../kit/latin.tsx'
import { PagedTable } from '../../kit/paged-table.tsx'
import type { Compensation } from './compensation.ts'
import { Progress } from './progress.tsx'
import { useProgress } from './use-progress.ts'

interface Props {
  pathOf: (kind: HostKind, uuid: string) => string
}

export function CompensationList({ pathOf }: Props) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  useProgress()
  const columns: readonly Column<Compensation>[] = [
    {
      title: t('compensations.host'),
      isName: true,
      cell: (one) => (
        <Link to={pathOf(one.compensationSubject, one.compensationSubjectUUID)}>
          <Latin>{one.compensationSubjectName}</Latin>
        </Link>
      ),
    },
    {
      title: t('compensations.days'),
      isNumber: true,
      cell: ({ compensationDays }) => formatNumber(compensationDays, language),
    },
    { title: t('compensations.progress'), cell: (one) => <Progress compensation={one} /> },
    { title: t('compensations.reason'), cell: ({ compensationReason }) => <bdi>{compensationReason}</bdi> },
    {
      title: t('compensations.by'),
      isAddress: true,
      cell: ({ compensationBy }) => <Latin>{compensationBy}</Latin>,
    },
    { title: t('compensations.date'), cell: ({ compensationDate }) => <When date={compensationDate} /> },
  ]
  return (
    <PagedTable
      call={getCompensations}
      body={{}}
      label={t('compensations.list')}
      columns={columns}
      idOf={({ compensationUUID }) => compensationUUID}
      failed={t('compensations.failed')}
      empty={<p>{t('compensations.none')}</p>}
      isNarrow={false}
    />
  )
}
