import type { Account } from '@kelid/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { explain } from '../../../calls/explain.ts'
import { formatNumber } from '../../../lib/format.ts'
import { notify } from '../../../lib/notices.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { Dialog } from '../../../shared/dialogs/dialog.tsx'
import form from '../../../shared/dialogs/dialog-form.module.css'
import { shapes } from '../../../shared/shapes.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Loading } from '../../../ui/loading/loading.tsx'
import type { BulkAction } from '../list/bulk-actions.ts'
import { AccountProblems } from './account-problems.tsx'
import styles from './bulk-dialog.module.css'
import { BulkQuote } from './bulk-quote.tsx'
import { daysOf, usualDays } from './days.ts'
import { areDays, DaysField } from './days-field.tsx'
import { useBulk } from './use-bulk.ts'
import { useQuotes } from './use-quotes.ts'

interface Props {
  action: BulkAction
  accounts: readonly Account[]
  /** With those that are done. */
  onClose: (done: readonly Account[]) => void
}

/** One question and one press for many accounts; what fails is named, what is done stays done. */
export function BulkDialog({ action, accounts, onClose }: Props) {
  const { t } = useTranslation('reseller')
  const counted = useCounted()
  const bulk = useBulk(action)
  return (
    <Dialog
      title={t(`accounts.bulk.${action}Title`, counted(accounts.length))}
      onClose={() => onClose(bulk.done)}
    >
      <BulkForm action={action} accounts={accounts} bulk={bulk} onClose={onClose} />
    </Dialog>
  )
}

function useCounted() {
  const language = useLanguage()
  return (count: number) => ({ count, shown: formatNumber(count, language) })
}

function BulkForm({ action, accounts, bulk, onClose }: Props & { bulk: ReturnType<typeof useBulk> }) {
  const { t } = useTranslation('reseller')
  const counted = useCounted()
  const [typed, setTyped] = useState(usualDays)
  const isRenewal = action === 'renew'
  const days = areDays(typed) ? daysOf(typed) : null
  const quotes = useQuotes(accounts, isRenewal ? days : null)
  const { run, percent, done, failed } = bulk
  const isBusy = percent !== null
  const targets = failed ? failed.map(({ account }) => account) : isRenewal ? quotes.total?.payable : accounts

  async function start() {
    if (!targets || targets.length === 0) return
    const result = await run(targets, days ?? 0)
    if (!result || result.failed.length > 0) return
    notify(t('accounts.bulk.done', counted(result.done.length)), 'success')
    onClose(result.done)
  }

  return (
    <>
      {!failed && (
        <>
          <p className={styles.names}>
            <bdi>{accounts.map(({ accountName }) => accountName).join(', ')}</bdi>
          </p>
          {action !== 'renew' && <p>{t(`accounts.bulk.${action}Text`)}</p>}
          {isRenewal && (
            <>
              <DaysField value={typed} onValue={setTyped} disabled={isBusy} />
              <BulkQuote read={quotes} isAsked={days !== null} />
            </>
          )}
        </>
      )}
      {isBusy && <Loading mode="linear" value={percent} label={t('accounts.bulk.working')} />}
      {failed && !isBusy && (
        <div role="alert" className={form.form}>
          {done.length > 0 && (
            <p className={styles.done}>
              <Icon shape={shapes.done} />
              {t('accounts.bulk.done', counted(done.length))}
            </p>
          )}
          <p>{t('accounts.bulk.failed', counted(failed.length))}</p>
          <AccountProblems
            items={failed.map(({ account, error }) => ({ account, text: explain(t, error).text }))}
          />
        </div>
      )}
      <div className={form.actions}>
        <Button onClick={() => onClose(done)} disabled={isBusy}>
          {t(failed ? 'ui.close' : 'dialog.cancel')}
        </Button>
        <Button
          kind={action === 'delete' ? 'danger' : 'primary'}
          isBusy={isBusy}
          disabled={!targets || targets.length === 0}
          onClick={() => void start()}
        >
          {isBusy
            ? t('accounts.bulk.working')
            : failed
              ? t('accounts.bulk.again', counted(failed.length))
              : t(`accounts.bulk.${action}`)}
        </Button>
      </div>
    </>
  )
}
