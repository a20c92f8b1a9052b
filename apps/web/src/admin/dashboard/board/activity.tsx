import { getActivity } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../../shared/reads/query.ts'
import { ReadFailed } from '../../../shared/reads/read-failed.tsx'
import { Loading } from '../../../ui/loading/loading.tsx'
import { Section } from '../../kit/section.tsx'
import styles from './activity.module.css'
import { DayChart } from './day-chart.tsx'
import type { LinkTo } from './links.ts'

export const soldId = 'points-sold'
const sold = { created: 'accounts', renewed: 'ledger', pointsSold: 'ledger' } as const
const charts = Object.keys(sold) as (keyof typeof sold)[]

export function Activity({ linkTo }: { linkTo: LinkTo }) {
  const { t } = useTranslation('admin')
  const { t: tBoard } = useTranslation('admin/dashboard')
  const { data, error, isPending, refetch } = useRead(getActivity, {})
  return (
    <Section title={tBoard('board.activity')}>
      {isPending && <Loading mode="skeleton" />}
      {error && (
        <ReadFailed
          error={error}
          notice={tBoard('board.activityFailed')}
          text={data ? t('list.notRefreshed') : tBoard('board.activityFailed')}
          onRetry={() => void refetch()}
        />
      )}
      {data && (
        <>
          <div className={styles.charts}>
            {charts.map((name) => (
              <DayChart
                key={name}
                {...(name === 'pointsSold' && { id: soldId })}
                title={tBoard(`board.${name}`)}
                span={tBoard('board.past')}
                linkTotal={(text) => linkTo(sold[name], text)}
                days={data.days.map((one) => ({ day: one.day, value: one[name] }))}
              />
            ))}
            <DayChart
              title={tBoard('board.expiring')}
              span={tBoard('board.next')}
              linkTotal={(text) => linkTo('accounts-soonest', text)}
              days={data.expiring.map(({ day, accounts }) => ({ day, value: accounts }))}
            />
          </div>
          <p className={styles.note}>{tBoard('board.utc')}</p>
        </>
      )}
    </Section>
  )
}
