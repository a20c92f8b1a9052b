import type { Account, AccountFilterState } from '@kelid/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { accountPath, paths } from '../../lib/paths.ts'
import { shapes } from '../../shared/shapes.ts'
import { LinkButton } from '../../ui/button.tsx'
import { AccountStates } from '../accounts/overview/account-states.tsx'
import { ExpiringSoon } from '../accounts/overview/expiring-soon.tsx'
import { RunningLow } from '../accounts/overview/running-low.tsx'
import { Sales, useHasSales } from '../accounts/overview/sales.tsx'
import { Balances } from '../credit/balances/balances.tsx'
import { LatestMovements, useHasStatement } from '../credit/statement/latest-movements.tsx'
import styles from './dashboard-screen.module.css'

const listOf = (state: AccountFilterState) => `${paths.accounts}?state=${state}`

const linkTo = ({ accountUUID, accountName }: Account) => (
  <Link to={accountPath(accountUUID)}>
    <bdi>{accountName}</bdi>
  </Link>
)

export function DashboardScreen() {
  const { t } = useTranslation('reseller')
  return (
    <div className={styles.dashboard}>
      <div className={styles.head}>
        <h1>{t('overview.title')}</h1>
        <LinkButton kind="primary" icon={shapes.plus} to={paths.newAccount}>
          {t('overview.create')}
        </LinkButton>
      </div>
      <Balances />
      <div className={styles.halves}>
        <Section
          title={t('overview.accounts')}
          more={<Link to={paths.accounts}>{t('overview.allAccounts')}</Link>}
        >
          <AccountStates linkOf={(state, mark) => <Link to={listOf(state)}>{mark}</Link>} />
        </Section>
        <Section title={t('accounts.state.expiring')}>
          <ExpiringSoon
            nameOf={linkTo}
            moreOf={(text) => <Link to={`${listOf('expiring')}&sort=accountExpireDate`}>{text}</Link>}
          />
          <RunningLow nameOf={linkTo} moreOf={(text) => <Link to={listOf('lowData')}>{text}</Link>} />
        </Section>
      </div>
      {useHasSales() && (
        <Section title={t('overview.sold')}>
          <Sales title={t('overview.sold')} />
        </Section>
      )}
      {useHasStatement() && (
        <Section
          title={t('overview.latest')}
          more={<Link to={paths.statement}>{t('overview.allMovements')}</Link>}
        >
          <LatestMovements title={t('overview.latest')} />
        </Section>
      )}
    </div>
  )
}

const Section = ({ title, more, children }: { title: string; more?: ReactNode; children: ReactNode }) => (
  <section className={styles.section}>
    <div className={styles.head}>
      <h2>{title}</h2>
      {more}
    </div>
    {children}
  </section>
)
