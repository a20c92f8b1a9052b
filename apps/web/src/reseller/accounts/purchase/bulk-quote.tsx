import { getUserCredit, RefusedByServer } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { explain } from '../../../calls/explain.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { Warning } from '../../../shared/dialogs/warning.tsx'
import { useRead } from '../../../shared/reads/query.ts'
import { ReadFailed } from '../../../shared/reads/read-failed.tsx'
import { Loading } from '../../../ui/loading/loading.tsx'
import { AccountProblems } from './account-problems.tsx'
import styles from './quote-panel.module.css'
import { Price, Row } from './quote-panel.tsx'
import type { QuoteTotal, useQuotes } from './use-quotes.ts'

/** What renewing all of them costs together, and who is left out. */
export function BulkQuote({ read, isAsked }: { read: ReturnType<typeof useQuotes>; isAsked: boolean }) {
  const { t } = useTranslation('reseller')
  return (
    <section className={styles.panel} aria-label={t('accounts.quote.title')} aria-live="polite">
      {!isAsked && <p className={styles.quiet}>{t('accounts.quote.waitingDays')}</p>}
      {isAsked && !read.total && !read.error && (
        <Loading mode="dots" size="small" label={t('accounts.bulk.quoting')} />
      )}
      {read.error && <ReadFailed text={t('accounts.quote.failed')} onRetry={read.retry} />}
      {isAsked && read.total && <Total total={read.total} />}
    </section>
  )
}

function Total({ total }: { total: QuoteTotal }) {
  const { t } = useTranslation('reseller')
  const language = useLanguage()
  const credit = useRead(getUserCredit, {}).data
  const number = (value: number) => formatNumber(value, language)
  const counted = (count: number) => ({ count, shown: number(count) })
  const isCovered =
    !credit || (total.points <= credit.userCredit && total.tunnelCredit <= credit.userTunnelCredit)
  return (
    <>
      <dl className={styles.rows}>
        <Row label={t('accounts.bulk.total')}>
          <Price dollars={total.dollars} points={total.points} />
        </Row>
        {total.tunnelCredit > 0 && (
          <Row label={t('accounts.quote.tunnelCredit')}>{number(total.tunnelCredit)}</Row>
        )}
      </dl>
      {total.renewal && <p>{t(`accounts.renew.${total.renewal}`)}</p>}
      {total.daysLost > 0 && <Warning>{t('accounts.bulk.lost', counted(total.daysLost))}</Warning>}
      {!isCovered && <Warning>{t('accounts.bulk.notCovered')}</Warning>}
      {total.leftOut.length > 0 && (
        <>
          <p>{t('accounts.bulk.leftOut', counted(total.leftOut.length))}</p>
          <AccountProblems
            items={total.leftOut.map(({ account, reason }) => ({
              account,
              text:
                reason instanceof RefusedByServer
                  ? explain(t, reason).text
                  : t(`accounts.quote.refused.${reason}`),
            }))}
          />
        </>
      )}
    </>
  )
}
