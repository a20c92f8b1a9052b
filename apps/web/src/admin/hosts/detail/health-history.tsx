import type { Answer, getHostHealth } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '../../../lib/use-language.ts'
import { When } from '../../../shared/when.tsx'
import { Count } from '../../kit/count.tsx'
import { DataTable } from '../../kit/data-table.tsx'
import { Latin } from '../../kit/latin.tsx'
import { HealthMark } from '../host/marks.tsx'
import { formatDuration } from './duration.ts'

type Health = Answer<typeof getHostHealth>
type Change = Health['changes'][number]

const lengthOf = ({ sinceDate, untilDate }: Change) =>
  (untilDate ? Date.parse(untilDate) : Date.now()) - Date.parse(sinceDate)

export function HealthHistory({ changes, changeCount }: Pick<Health, 'changes' | 'changeCount'>) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  if (changes.length === 0) return <p>{t('health.none')}</p>
  const columns = [
    {
      title: t('hosts.health'),
      isName: true,
      cell: ({ health }: Change) => <HealthMark health={health} />,
    },
    { title: t('health.since'), cell: ({ sinceDate }: Change) => <When date={sinceDate} /> },
    {
      title: t('health.lasted'),
      cell: (change: Change) => {
        const length = formatDuration(lengthOf(change), language)
        return change.untilDate ? length : t('health.soFar', { length })
      },
    },
    {
      title: t('health.because'),
      cell: ({ reason, detail }: Change) => (
        <span>
          {t(`health.reasons.${reason}`)} {detail && <Latin>{detail}</Latin>}
        </span>
      ),
    },
  ]
  return (
    <>
      <Count total={changeCount} listed={changes.length} />
      <DataTable
        label={t('health.history')}
        columns={columns}
        rows={changes}
        keyOf={({ sinceDate }) => sinceDate}
      />
    </>
  )
}
