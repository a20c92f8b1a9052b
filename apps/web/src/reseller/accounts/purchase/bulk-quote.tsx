import type { Account } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { formatDate, formatNumber } from '../../../lib/format.ts'
import { useCounted } from '../../../lib/use-counted.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { Warning } from '../../../shared/dialogs/warning.tsx'
import { ReadFailed } from '../../../shared/reads/read-failed.tsx'
import { When } from '../../../shared/when.tsx'
import { Loading } from '../../../ui/loading/loading.tsx'
import { AccountProblems } from './account-problems.tsx'
import type { BulkQuote as Quote } from './bulk.ts'
import dialog from './bulk-dialog.module.css'
import styles from './quote-panel.module.css'
import { Charges } from './quote-panel.tsx'
import type { useBulkQuote } from './use-bulk-quote.ts'

interface Props {
  read: ReturnType<typeof useBulkQuote>
  isComplete: boolean
  accounts: readonly Account[]
}

export function BulkQuote({ read, isComplete, accounts }: Props) {
  const { t } = useTranslation('reseller')
  const { quote, error } = read
  return (
    <>
      <section
        className={styles.panel}
        data-kind="total"
        aria-label={t('accounts.quote.title')}
        aria-live="polite"
        aria-busy={isComplete && !quote && !error}
      >
        {!isComplete && <p className={styles.quiet}>{t('accounts.quote.waitingDays')}</p>}
        {isComplete && !quote && !error && <Loading mode="dots" size="small" />}
        {error && <ReadFailed error={error} text={t('accounts.quote.failed')} onRetry={read.retry} />}
        {quote && <Total quote={quote} />}
      </section>
      {quote && <EachAccount quote={quote} accounts={accounts} />}
    </>
  )
}

function Total({ quote }: { quote: Quote }) {
  const { t } = useTranslation('reseller')
  const counted = useCounted()
  const lostDays = quote.quoteDaysLost
  return (
    <>
      <dl className={styles.rows}>
        <Charges label={t('accounts.bulk.total')} quote={quote} isPayable />
      </dl>
      {lostDays > 0 && <Warning>{t('accounts.bulk.lost', counted(lostDays))}</Warning>}
    </>
  )
}

function EachAccount({ quote, accounts }: { quote: Quote; accounts: readonly Account[] }) {
  const { t } = useTranslation('reseller')
  const language = useLanguage()
  const byUUID = new Map(quote.accounts.map((one) => [one.accountUUID, one]))
  const each = accounts.map((account) => ({ account, result: byUUID.get(account.accountUUID) }))
  const refused = each.flatMap(({ account, result }) =>
    result?.accountRefusal ? [{ account, refusal: result.accountRefusal }] : [],
  )
  const counted = { count: refused.length, shown: formatNumber(refused.length, language) }
  return (
    <>
      {refused.length < each.length && (
        <div>
          <p className={styles.quiet}>{t('accounts.renew.to')}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by keyboard */}
          <ul className={dialog.dates} aria-label={t('accounts.renew.to')} tabIndex={0}>
            {each.map(
              ({ account, result }) =>
                result?.accountExpireDate && (
                  <li key={account.accountUUID}>
                    <bdi>{account.accountName}</bdi>
                    <When
                      date={result.accountExpireDate}
                      words={formatDate(result.accountExpireDate, language)}
                    />
                  </li>
                ),
            )}
          </ul>
        </div>
      )}
      {refused.length > 0 && (
        <>
          <p>{t('accounts.bulk.leftOut', counted)}</p>
          <AccountProblems items={refused} />
        </>
      )}
    </>
  )
}
