import type { Account } from '@kelid/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useBrand } from '../../../lib/brand.ts'
import { formatDate } from '../../../lib/format.ts'
import { lazyScreen } from '../../../lib/lazy-screen.tsx'
import { useLanguage } from '../../../lib/use-language.ts'
import { shapes } from '../../../shared/shapes.ts'
import { When } from '../../../shared/when.tsx'
import { Button } from '../../../ui/button.tsx'
import { Expiry } from '../expiry.tsx'
import { StateLabel } from '../state-mark.tsx'
import { stateOf, stateText } from '../state-text.ts'
import styles from './account-detail.module.css'
import { AbuseNotice, InvalidAccount, RefusedNotice, StatusSwitch } from './account-status.tsx'
import { AppliedMark } from './applied-mark.tsx'
import { DeleteAccount, type Deletion } from './delete-account.tsx'
import { HandOver } from './hand-over.tsx'
import { WhenVisible } from './in-sight.tsx'
import { DownloadQr, QrCode } from './qr-code.tsx'
import { RenewDialog } from './renew-dialog.tsx'

const DataPanel = lazyScreen(async () => (await import('./data-panel.tsx')).DataPanel)
const SpeedPanel = lazyScreen(async () => (await import('../speed/part.ts')).loadPart())
const UsagePanel = lazyScreen(async () => (await import('../usage/usage-panel.tsx')).UsagePanel)
const WaysList = lazyScreen(async () => (await import('../ways/ways-list.tsx')).WaysList)
const ImportButtons = lazyScreen(async () => (await import('../import/import-buttons.tsx')).ImportButtons)

export function AccountDetail({ account, ...deletion }: { account: Account } & Deletion) {
  const { t } = useTranslation('reseller')
  const { publicUrl } = useBrand()
  const [isRenewing, setRenewing] = useState(false)
  const path = account.accountSubscriptionPath
  const subscriptionUrl = path && `${publicUrl || location.origin}${path}`
  const isAbused = account.accountAbuse
  const { accountWays: ways = [] } = account
  return (
    <div className={styles.detail}>
      <Head account={account} />
      {isAbused && (
        <div className={styles.wide}>
          <AbuseNotice account={account} />
        </div>
      )}
      {account.accountRefusedDevices && (
        <div className={styles.wide}>
          <RefusedNotice account={account} />
        </div>
      )}
      <div className={styles.column}>
        <section className={styles.card}>
          <div className={styles.main}>
            {isAbused ? <InvalidAccount /> : <QrCode account={account} />}
            <Facts account={account} />
          </div>
          <div className={styles.buttons}>
            <Button kind="primary" icon={shapes.renew} disabled={isAbused} onClick={() => setRenewing(true)}>
              {t('accounts.renew.action')}
            </Button>
            {!isAbused && <DownloadQr account={account} />}
          </div>
        </section>
        {account.accountDataLimit && (
          <section className={styles.card}>
            <h2>{t('accounts.data.title')}</h2>
            <WhenVisible>
              <DataPanel account={account} limit={account.accountDataLimit} />
            </WhenVisible>
          </section>
        )}
        <section className={styles.card}>
          <StatusSwitch account={account} />
          <div>
            <DeleteAccount account={account} {...deletion} />
          </div>
        </section>
      </div>
      {!isAbused && (
        <div className={styles.column}>
          <section className={styles.card}>
            <h2>{t('accounts.link.title')}</h2>
            <HandOver account={account} subscriptionUrl={subscriptionUrl} />
          </section>
          {ways.length > 1 && (
            <section className={styles.card}>
              <h2>{t('accounts.ways.title')}</h2>
              <WhenVisible>
                <WaysList name={account.accountName} ways={ways} />
              </WhenVisible>
            </section>
          )}
          {subscriptionUrl && (
            <section className={styles.card}>
              <h2>{t('accounts.import.title')}</h2>
              <WhenVisible>
                <ImportButtons
                  name={account.accountName}
                  vpnTypes={[account, ...ways].map(({ accountVPNType }) => accountVPNType)}
                  subscriptionUrl={subscriptionUrl}
                />
              </WhenVisible>
            </section>
          )}
        </div>
      )}
      {account.accountSpeedLimit !== undefined && (
        <section className={`${styles.card} ${styles.wide}`}>
          <WhenVisible>
            <SpeedPanel account={account} />
          </WhenVisible>
        </section>
      )}
      {account.usageTotal && (
        <section className={`${styles.card} ${styles.wide}`}>
          <h2>{t('accounts.usage.title')}</h2>
          <WhenVisible>
            <UsagePanel accountUUID={account.accountUUID} />
          </WhenVisible>
        </section>
      )}
      {isRenewing && <RenewDialog account={account} onClose={() => setRenewing(false)} />}
    </div>
  )
}

function Head({ account }: { account: Account }) {
  const { t } = useTranslation('reseller')
  const { country } = account.server
  return (
    <header className={styles.head}>
      <h1>
        <bdi>{account.accountName}</bdi>
      </h1>
      <p className={styles.what}>
        {country.countryFlag && <img src={country.countryFlag} alt="" width="20" height="15" />}
        {country.countryName && <bdi>{country.countryName}</bdi>}
        <span>{t(`vpnTypes.${account.accountVPNType}`)}</span>
        {account.accountTunnelType && <span>{t(`accounts.tunnelTypes.${account.accountTunnelType}`)}</span>}
      </p>
    </header>
  )
}

function Facts({ account }: { account: Account }) {
  const { t } = useTranslation('reseller')
  const language = useLanguage()
  const { accountExpireDate: expires, accountCreatedDate: created, accountApplied: applied } = account
  const state = stateOf(account)
  return (
    <dl className={styles.facts}>
      <div data-state={account.accountDuration === 0 ? 'bad' : undefined}>
        <dt>{t('accounts.expiry')}</dt>
        <dd>
          <time dateTime={expires}>{formatDate(expires, language)}</time>
        </dd>
        <dd className={styles.days}>
          <Expiry account={account} />
        </dd>
      </div>
      <div>
        <dt>{t('accounts.status')}</dt>
        <dd>
          <StateLabel state={state} label={stateText(t, state)} />
        </dd>
        <dd className={styles.days} aria-live="polite">
          {applied && <AppliedMark applied={applied} />}
        </dd>
      </div>
      {account.accountStartBy && (
        <div>
          <dt>{t('accounts.firstUse.title')}</dt>
          <dd className={styles.days}>
            {t('accounts.firstUse.text', { date: formatDate(account.accountStartBy, language) })}
          </dd>
        </div>
      )}
      {account.accountPlan && (
        <div>
          <dt>{t('accounts.plan.title')}</dt>
          <dd>
            <bdi>{account.accountPlan.planName}</bdi>
          </dd>
        </div>
      )}
      {created && (
        <div>
          <dt>{t('accounts.createdOn')}</dt>
          <dd className={styles.days}>
            <When date={created} />
          </dd>
        </div>
      )}
    </dl>
  )
}
