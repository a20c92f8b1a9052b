import { type AccountUsage, getUsage, type Language, languageFacts } from '@kelid/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { read } from '../../../calls/api.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { formatBytes } from '../../../shared/format-bytes.ts'
import { formatDay } from '../../../shared/format-day.ts'
import { keyOf } from '../../../shared/reads/query.ts'
import { ReadState } from '../../../shared/reads/read-state.tsx'
import { When } from '../../../shared/when.tsx'
import { Bars } from '../../../ui/bars/bars.tsx'
import styles from './usage-panel.module.css'

/** Hosts report every ten seconds; the screen need not be that current. */
const pollMs = 30_000

const bytesOf = ({ up, down }: { up: number; down: number }) => up + down

export function UsagePanel({ accountUUID }: { accountUUID: string }) {
  const { t } = useTranslation('reseller')
  const usage = useQuery<AccountUsage>({
    queryKey: keyOf(getUsage, { accountUUID }),
    queryFn: ({ signal }) => read(getUsage, { accountUUID }, { signal }),
    refetchInterval: pollMs,
  })
  if (usage.data) return <Usage usage={usage.data} />
  return <ReadState read={usage} failed={t('accounts.usage.failed')} />
}

function Usage({ usage }: { usage: AccountUsage }) {
  const { t } = useTranslation('reseller')
  const language = useLanguage()
  const { usageByDay: days, accountLastSeenDate: lastSeen, accountAppliedMs: appliedMs } = usage
  const bytes = (value: number) => formatBytes(value, language)
  const month = days.reduce((sum, day) => sum + bytesOf(day), 0)
  const today = days.at(-1)
  const facts = [
    [t('accounts.usage.today'), today ? bytes(bytesOf(today)) : bytes(0)],
    [t('accounts.usage.month'), bytes(month)],
    [t('accounts.usage.total'), bytes(bytesOf(usage.usageTotal))],
  ] as const
  return (
    <div className={styles.usage}>
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
        <div>
          <dt>{t('accounts.usage.lastSeen')}</dt>
          <dd aria-live="polite">
            {usage.accountOnline ? (
              t('accounts.usage.online')
            ) : lastSeen ? (
              <When date={lastSeen} />
            ) : (
              t('accounts.usage.never')
            )}
          </dd>
        </div>
        {appliedMs !== null && (
          <div>
            <dt>{t('accounts.usage.applied')}</dt>
            <dd>{t('accounts.usage.appliedIn', { seconds: secondsOf(appliedMs, language) })}</dd>
          </div>
        )}
      </dl>
      {month > 0 && (
        <div>
          <Bars
            values={days.map(bytesOf)}
            label={t('accounts.usage.chart', {
              total: bytes(month),
              most: bytes(Math.max(...days.map(bytesOf))),
            })}
          />
          <p className={styles.ends} aria-hidden="true">
            {[days.at(0), today].map(
              (day) => day && <span key={day.day}>{formatDay(day.day, language)}</span>,
            )}
          </p>
        </div>
      )}
    </div>
  )
}

const secondsOf = (ms: number, language: Language) =>
  new Intl.NumberFormat(languageFacts[language].locale, {
    maximumFractionDigits: 1,
    minimumFractionDigits: 1,
  }).format(ms / 1000)
