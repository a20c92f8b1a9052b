import { type Account, limits } from '@kelid/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { explain } from '../../../calls/explain.ts'
import { notify } from '../../../lib/notices.ts'
import { useCounted } from '../../../lib/use-counted.ts'
import { Dialog } from '../../../shared/dialogs/dialog.tsx'
import form from '../../../shared/dialogs/dialog-form.module.css'
import { Warning } from '../../../shared/dialogs/warning.tsx'
import { shapes } from '../../../shared/shapes.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Loading } from '../../../ui/loading/loading.tsx'
import type { BulkAction } from '../list/bulk-actions.ts'
import { AccountProblems } from './account-problems.tsx'
import type { BulkOrder, Outcome } from './bulk.ts'
import styles from './bulk-dialog.module.css'
import { BulkQuote } from './bulk-quote.tsx'
import { DataField, mayBeGigabytes } from './data-field.tsx'
import { daysOf, gigabytesOf, usualDays } from './days.ts'
import { areDays, DaysField } from './days-field.tsx'
import { RenewalRule } from './renewal-rule.tsx'
import { useBulk } from './use-bulk.ts'
import { useBulkQuote } from './use-bulk-quote.ts'

interface Props {
  action: BulkAction
  accounts: readonly Account[]
  onClose: (done: readonly Account[]) => void
}

const noAccounts: readonly Account[] = []

export function BulkDialog({ action, accounts: selected, onClose }: Props) {
  const { t } = useTranslation('reseller')
  const counted = useCounted()
  const bulk = useBulk()
  const accounts = selected.slice(0, limits.bulkMax)
  const close = () => onClose(bulk.outcome?.done ?? noAccounts)
  const Form = action === 'renew' ? RenewMany : ChangeMany
  return (
    <Dialog title={t(`accounts.bulk.${action}Title`, counted(accounts.length))} onClose={close}>
      {bulk.outcome ? (
        <Results outcome={bulk.outcome} onClose={close} />
      ) : (
        <>
          {accounts.length < selected.length && (
            <p>
              {t('accounts.bulk.atMost', {
                ...counted(selected.length - accounts.length),
                most: counted(limits.bulkMax).shown,
              })}
            </p>
          )}
          <Form action={action} accounts={accounts} bulk={bulk} onClose={onClose} />
        </>
      )}
    </Dialog>
  )
}

type FormProps = Props & { bulk: ReturnType<typeof useBulk> }

function RenewMany({ accounts, ...rest }: FormProps) {
  const { t } = useTranslation('reseller')
  const [input, setInput] = useState(usualDays)
  const [data, setData] = useState('')
  const gigabytes = gigabytesOf(data)
  const days = areDays(input) && mayBeGigabytes(data) ? daysOf(input) : null
  const read = useBulkQuote(accounts, days, gigabytes)
  const { quote } = read
  const isPayable = quote?.accounts.some(({ accountRefusal }) => accountRefusal === null) ?? false
  return (
    <>
      {!quote && <Names accounts={accounts} />}
      <RenewalRule quoted={quote?.quoteRenewal} />
      <DaysField value={input} onValue={setInput} disabled={rest.bulk.isBusy} />
      {accounts.some(({ accountDataLimit }) => accountDataLimit) && (
        <DataField
          value={data}
          onValue={setData}
          hint={t('accounts.bulk.gigabytesHint')}
          disabled={rest.bulk.isBusy}
        />
      )}
      <BulkQuote read={read} isComplete={days !== null} accounts={accounts} />
      <Confirm
        {...rest}
        accounts={accounts}
        days={days}
        gigabytes={gigabytes}
        quote={quote}
        isReady={isPayable}
      />
    </>
  )
}

function ChangeMany({ action, accounts, ...rest }: FormProps) {
  const { t } = useTranslation('reseller')
  return (
    <>
      <Names accounts={accounts} />
      {action !== 'renew' && <p>{t(`accounts.bulk.${action}Text`)}</p>}
      <Confirm
        {...rest}
        action={action}
        accounts={accounts}
        days={null}
        gigabytes={0}
        quote={undefined}
        isReady
      />
    </>
  )
}

const Names = ({ accounts }: Pick<Props, 'accounts'>) => (
  <p className={styles.names}>
    <bdi>{accounts.map(({ accountName }) => accountName).join(', ')}</bdi>
  </p>
)

type ConfirmProps = FormProps & Pick<BulkOrder, 'days' | 'gigabytes' | 'quote'> & { isReady: boolean }

/** A retry after a missing answer uses the same key, so nothing is done twice. */
function Confirm({ action, accounts, days, gigabytes, quote, isReady, bulk, onClose }: ConfirmProps) {
  const { t } = useTranslation('reseller')
  const counted = useCounted()
  const { run, isBusy, error } = bulk

  async function start() {
    const outcome = await run({ action, accounts, days, gigabytes, quote })
    if (!outcome || outcome.refused.length > 0) return
    notify(t('accounts.bulk.done', counted(outcome.done.length)), 'success')
    onClose(outcome.done)
  }

  return (
    <>
      {isBusy && <Loading mode="linear" label={t('accounts.bulk.working')} />}
      {error !== null && <Warning>{explain(t, error).text}</Warning>}
      <div className={form.actions}>
        <Button onClick={() => onClose(noAccounts)} disabled={isBusy}>
          {t('dialog.cancel')}
        </Button>
        <Button
          kind={action === 'delete' ? 'danger' : 'primary'}
          isBusy={isBusy}
          disabled={!isReady}
          onClick={() => void start()}
        >
          {t(isBusy ? 'accounts.bulk.working' : `accounts.bulk.${action}`)}
        </Button>
      </div>
    </>
  )
}

function Results({ outcome: { done, refused }, onClose }: { outcome: Outcome; onClose: () => void }) {
  const { t } = useTranslation('reseller')
  const counted = useCounted()
  return (
    <>
      <div role="alert" className={form.form}>
        {done.length > 0 && (
          <p className={styles.done}>
            <Icon shape={shapes.done} />
            {t('accounts.bulk.done', counted(done.length))}
          </p>
        )}
        <p>{t('accounts.bulk.failed', counted(refused.length))}:</p>
        <AccountProblems items={refused} />
      </div>
      <div className={form.actions}>
        <Button onClick={onClose}>{t('ui.close')}</Button>
      </div>
    </>
  )
}
