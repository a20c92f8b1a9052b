import type { Unit, User } from '@kelid/contract'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { formatDollars, formatNumber } from '../../../lib/format.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { When } from '../../../shared/when.tsx'
import type { Column } from '../../kit/data-table.tsx'
import { Debt, Rate } from './amounts.tsx'
import { type MoneyAct, MoneyButtons, useMoneyActs } from './money-acts.tsx'

const actsOf: Record<Unit, readonly MoneyAct[]> = {
  points: ['points', 'rate'],
  tunnelCredit: ['tunnelCredit'],
  dollars: ['dollars', 'limit'],
}

/** What a table of users says of one kind of money, and what can be done to it there. */
export function useMoneyColumns(unit: Unit) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  const { ask, dialog } = useMoneyActs()
  const number = (title: string, of: (user: User) => string): Column<User> => ({
    title,
    isNumber: true,
    cell: (user) => <bdi>{of(user)}</bdi>,
  })
  const whole = (value: number) => formatNumber(value, language)
  const money = (value: number) => formatDollars(value, language)
  const columns: Record<Unit, readonly Column<User>[]> = {
    points: [
      number(t('amounts.points'), ({ userCredit }) => whole(userCredit)),
      number(t('amounts.inDollars'), ({ userCreditDollars }) => money(userCreditDollars)),
      { title: t('amounts.rate.column'), cell: (user) => <Rate user={user} /> },
    ],
    tunnelCredit: [
      number(t('amounts.tunnelCredit'), ({ userTunnelCredit }) => whole(userTunnelCredit)),
      number(t('people.accounts'), ({ accounts }) => whole(accounts)),
    ],
    dollars: debtColumns(t, money),
  }
  const acts: Column<User> = {
    title: t('amounts.acts'),
    isActs: true,
    cell: (user) => <MoneyButtons user={user} acts={actsOf[unit]} ask={ask} />,
  }
  return { columns: [...columns[unit], acts], dialog }
}

const debtColumns = (t: TFunction<'admin'>, money: (value: number) => string): Column<User>[] => [
  { title: t('amounts.debt'), isNumber: true, cell: ({ userDebt }) => <Debt debt={userDebt} /> },
  {
    title: t('amounts.limit.column'),
    isNumber: true,
    cell: ({ userDebtLimit }) => <bdi>{money(userDebtLimit)}</bdi>,
  },
  { title: t('amounts.since'), cell: ({ userDebtSince }) => userDebtSince && <When date={userDebtSince} /> },
]
