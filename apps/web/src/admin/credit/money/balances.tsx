import type { User } from '@kelid/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDollars, formatNumber } from '../../../lib/format.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { When } from '../../../shared/when.tsx'
import { Section } from '../../kit/section.tsx'
import { Debt, Rate } from './amounts.tsx'
import styles from './money.module.css'
import { type MoneyAct, MoneyButtons, useMoneyActs } from './money-acts.tsx'

export function Balances({ user }: { user: User }) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  const { ask, dialog } = useMoneyActs()
  const part = (title: string, amount: ReactNode, more: ReactNode, acts: readonly MoneyAct[]) => (
    <div className={styles.balance}>
      <h3>{title}</h3>
      <p className={styles.large}>{amount}</p>
      <div className={styles.quiet}>{more}</div>
      <MoneyButtons user={user} acts={acts} ask={ask} t={t} />
    </div>
  )
  return (
    <Section title={t('amounts.title.all')}>
      <div className={styles.balances}>
        {part(
          t('amounts.points'),
          <bdi>{formatNumber(user.userCredit, language)}</bdi>,
          <>
            <bdi>{formatDollars(user.userCreditDollars, language)}</bdi> · {t('amounts.rate.column')}:{' '}
            <Rate user={user} t={t} language={language} />
          </>,
          ['points', 'rate'],
        )}
        {part(
          t('amounts.tunnelCredit'),
          <bdi>{formatNumber(user.userTunnelCredit, language)}</bdi>,
          t('amounts.tunnelText'),
          ['tunnelCredit'],
        )}
        {part(
          t('amounts.debt'),
          <Debt debt={user.userDebt} t={t} language={language} />,
          <>
            {t('amounts.limit.upTo')} <bdi>{formatDollars(user.userDebtLimit, language)}</bdi>
            {user.userDebtSince && (
              <>
                {' · '}
                <When date={user.userDebtSince} sentence={(when) => t('amounts.sinceWhen', { when })} />
              </>
            )}
          </>,
          ['dollars', 'limit'],
        )}
      </div>
      {dialog}
    </Section>
  )
}
