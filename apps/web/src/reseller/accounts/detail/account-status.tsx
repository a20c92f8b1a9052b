import { type Account, clearAbuse, getAccount, getUserAccounts, setEnabled } from '@kelid/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notifyError } from '../../../calls/explain.ts'
import { formatDate, formatNumber } from '../../../lib/format.ts'
import { notify } from '../../../lib/notices.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { useAct } from '../../../shared/reads/query.ts'
import { shapes } from '../../../shared/shapes.ts'
import { When } from '../../../shared/when.tsx'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { putAccount } from '../account-cache.ts'
import styles from './account-status.module.css'

export function StatusSwitch({ account }: { account: Account }) {
  const { t } = useTranslation('reseller')
  const client = useQueryClient()
  const change = useAct(setEnabled, { refreshes: [getUserAccounts] })
  const [target, setTarget] = useState<boolean | null>(null)
  const [isBusy, setBusy] = useState(false)
  const { accountUUID, accountName: name, accountEnabled: isEnabled } = account

  // The cache has the new value slightly before the call returns; until then the switch keeps its position.
  useEffect(() => {
    if (!isBusy && target === isEnabled) setTarget(null)
  }, [isBusy, target, isEnabled])

  async function set(accountEnabled: boolean) {
    setTarget(accountEnabled)
    setBusy(true)
    try {
      putAccount(client, await change.mutateAsync({ body: { accountUUID, accountEnabled } }))
      notify(t(accountEnabled ? 'accounts.nowEnabled' : 'accounts.nowDisabled', { name }), 'success')
    } catch (error) {
      setTarget(null)
      notifyError(t, error)
    } finally {
      setBusy(false)
    }
  }

  return (
    <Switch
      label={t('accounts.statusSwitch')}
      isOn={target ?? (isEnabled && !account.accountAbuse)}
      disabled={isBusy || account.accountAbuse}
      onChange={(isOn) => void set(isOn)}
    />
  )
}

export function AbuseNotice({ account }: { account: Account }) {
  const { t } = useTranslation('reseller')
  const language = useLanguage()
  const evidence = account.accountAbuseEvidence
  return (
    <section className={styles.abuse} role="alert">
      <h2>
        <Icon shape={shapes.alert} />
        {t('client.abuse')}
      </h2>
      {evidence && (
        <p>
          <When
            date={evidence.seenDate}
            sentence={(when) =>
              t('accounts.evidence', {
                count: evidence.devices,
                shown: formatNumber(evidence.devices, language),
                when,
              })
            }
          />
        </p>
      )}
      {evidence?.minutes && evidence.sinceDate && (
        <p>
          <When
            date={evidence.sinceDate}
            sentence={(when) =>
              t('accounts.evidenceMinutes', {
                count: evidence.minutes ?? 0,
                shown: formatNumber(evidence.minutes ?? 0, language),
                when,
              })
            }
          />
        </p>
      )}
      <ClearAbuse account={account} />
    </section>
  )
}

/** A server that implements only spec.md does not say when. */
function ClearAbuse({ account }: { account: Account }) {
  const { t } = useTranslation('reseller')
  const language = useLanguage()
  const clear = useAct(clearAbuse, { refreshes: [getAccount, getUserAccounts] })
  const { accountUUID, accountName: name, accountAbuseClearableDate: date } = account
  if (date === undefined) return <p>{t('accounts.abuseText')}</p>
  if (date !== null) return <p>{t('accounts.clearAbuse.later', { date: formatDate(date, language) })}</p>
  return (
    <>
      <p>{t('accounts.clearAbuse.text')}</p>
      <div>
        <Button
          isBusy={clear.isPending}
          onClick={() =>
            clear.mutate(
              { body: { accountUUID } },
              {
                onSuccess: () => notify(t('accounts.clearAbuse.done', { name }), 'success'),
                onError: (error) => notifyError(t, error),
              },
            )
          }
        >
          {t('accounts.clearAbuse.action')}
        </Button>
      </div>
    </>
  )
}

export function RefusedNotice({ account }: { account: Account }) {
  const { t } = useTranslation('reseller')
  const language = useLanguage()
  const refusal = account.accountRefusedDevices
  if (!refusal || Date.parse(refusal.untilDate) <= Date.now()) return null
  const shown = (count: number) => formatNumber(count, language)
  return (
    <section className={styles.refused} role="status">
      <h2>
        <Icon shape={shapes.alert} />
        {t('accounts.refused.title', { count: refusal.refused, shown: shown(refusal.refused) })}
      </h2>
      <p>
        <When
          date={refusal.sinceDate}
          sentence={(when) =>
            t('accounts.refused.text', {
              devices: shown(refusal.devices),
              allowed: shown(refusal.allowed),
              when,
            })
          }
        />
      </p>
      <p>
        <When date={refusal.untilDate} sentence={(when) => t('accounts.refused.until', { when })} />
      </p>
    </section>
  )
}

export function InvalidAccount() {
  const { t } = useTranslation('reseller')
  return (
    <p className={styles.invalid}>
      <span>{t('client.invalidAccount')}</span>
    </p>
  )
}
