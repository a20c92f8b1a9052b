import type { Answer, chargeQuote, quoteAccount } from '@kelid/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate, formatDollars, formatNumber } from '../../../lib/format.ts'
import { useCounted } from '../../../lib/use-counted.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { Warning } from '../../../shared/dialogs/warning.tsx'
import { ReadFailed } from '../../../shared/reads/read-failed.tsx'
import { When } from '../../../shared/when.tsx'
import { Loading } from '../../../ui/loading/loading.tsx'
import styles from './quote-panel.module.css'
import type { QuoteRead } from './use-quote.ts'

export type Quote = Answer<typeof quoteAccount>

interface Props {
  read: QuoteRead
  waiting: string
  expiryLabel: string
  children?: (quote: Quote) => ReactNode
}

export function QuotePanel({ read, waiting, expiryLabel, children }: Props) {
  const { t } = useTranslation('reseller')
  const { quote } = read
  if (!read.isOffered) return null
  return (
    <section
      className={styles.panel}
      aria-label={t('accounts.quote.title')}
      aria-live="polite"
      aria-busy={read.hasQuestion && !quote}
    >
      {!read.hasQuestion && <p className={styles.quiet}>{waiting}</p>}
      {read.hasQuestion && !quote && !read.error && <Loading mode="dots" size="small" />}
      {read.error && <ReadFailed error={read.error} text={t('accounts.quote.failed')} onRetry={read.retry} />}
      {read.hasQuestion && quote && (
        <>
          <Numbers quote={quote} expiryLabel={expiryLabel} />
          {children?.(quote)}
          {quote.quoteRefusal && <Warning>{t(`accounts.quote.refused.${quote.quoteRefusal}`)}</Warning>}
        </>
      )}
    </section>
  )
}

function Numbers({ quote, expiryLabel }: { quote: Quote; expiryLabel: string }) {
  const { t } = useTranslation('reseller')
  const language = useLanguage()
  const counted = useCounted()
  const expires = quote.accountExpireDate
  return (
    <dl className={styles.rows}>
      <Charges label={t('accounts.quote.cost')} quote={quote} isPayable={quote.quoteRefusal === null} />
      {quote.accountDataLimitAfter && (
        <Row label={t('accounts.quote.dataAfter')}>
          {t('accounts.quote.gigabytes', counted(quote.accountDataLimitAfter))}
        </Row>
      )}
      <Row label={quote.accountStartBy ? t('accounts.quote.runs') : expiryLabel} weight="main">
        {quote.accountStartBy ? (
          t('accounts.quote.firstUse', {
            ...counted(quote.accountDurationAfter),
            date: formatDate(expires, language),
          })
        ) : (
          <When date={expires} words={formatDate(expires, language)} />
        )}
      </Row>
    </dl>
  )
}

interface ChargesProps {
  label: string
  quote: Pick<Quote, keyof typeof chargeQuote>
  isPayable: boolean
}

export function Charges({ label, quote, isPayable }: ChargesProps) {
  const { t } = useTranslation('reseller')
  const language = useLanguage()
  const number = (value: number) => formatNumber(value, language)
  const dollars = (value: number) => formatDollars(value, language)
  const both = (inDollars: number, points: number) => <Price dollars={inDollars} points={points} />
  const isTunnelled = quote.quoteTunnelCredit > 0
  return (
    <>
      <Row label={label}>{both(quote.quoteDollars, quote.quotePoints)}</Row>
      {isTunnelled && <Row label={t('accounts.quote.tunnelCredit')}>{number(quote.quoteTunnelCredit)}</Row>}
      {isPayable && (
        <>
          {quote.quoteDebt > 0 && (
            <>
              <Row label={t('accounts.quote.debt')} state="bad">
                {dollars(quote.quoteDebt)}
              </Row>
              <Row label={t('accounts.quote.debtAfter')} state="bad">
                {dollars(quote.userDebtAfter)}
              </Row>
            </>
          )}
          <Row label={t('accounts.quote.left')}>
            {both(quote.userCreditDollarsAfter, quote.userCreditAfter)}
          </Row>
          {isTunnelled && (
            <Row label={t('accounts.quote.tunnelCreditLeft')}>{number(quote.userTunnelCreditAfter)}</Row>
          )}
        </>
      )}
    </>
  )
}

/** The two amounts are separate elements, because they would mix in right-to-left text. */
function Price({ dollars, points }: { dollars: number; points: number }) {
  const { t } = useTranslation('reseller')
  const language = useLanguage()
  const counted = useCounted()
  return (
    <>
      <bdi>{formatDollars(dollars, language)}</bdi>{' '}
      <bdi className={styles.points}>{t('accounts.quote.points', counted(points))}</bdi>
    </>
  )
}

interface RowProps {
  label: string
  state?: 'bad'
  weight?: 'main'
  children: ReactNode
}

const Row = ({ label, state, weight, children }: RowProps) => (
  <div data-state={state} data-weight={weight}>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)
