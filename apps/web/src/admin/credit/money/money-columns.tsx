import type { Language, Unit, User } from '@kelid/contract'
import type { TFunction } from 'i18next'
import { useMemo } from 'react'
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

export function useMoneyColumns(unit: Unit) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  const { ask, dialog } = useMoneyActs()
  const columns = useMemo((): Column<User>[] => {
    const acts = (user: User) => <MoneyButtons user={user} acts={actsOf[unit]} ask={ask} t={t} />
    return [...columnsOf[unit](t, language), { title: t('amounts.acts'), isActs: true, cell: acts }]
  }, [unit, t, language, ask])
  return { columns, dialog }
}

type ColumnsIn = (t: TFunction<'admin'>, language: Language) => Column<User>[]

const number = (title: string, of: (user: User) => string): Column<User> => ({
  title,
  isNumber: true,
  cell: (user) => <bdi>{of(user)}</bdi>,
})

const columnsOf: Record<Unit, ColumnsIn> = {
  points: (t, language) => [
    number(t('amounts.points'), ({ userCredit }) => formatNumber(userCredit, language)),
    number(t('amounts.inDollars'), ({ userCreditDollars }) => formatDollars(userCreditDollars, language)),
    { title: t('amounts.rate.column'), cell: (user) => <Rate user={user} t={t} language={language} /> },
  ],
  tunnelCredit: (t, language) => [
    number(t('amounts.tunnelCredit'), ({ userTunnelCredit }) => formatNumber(userTunnelCredit, language)),
    number(t('people.accounts'), ({ accounts }) => formatNumber(accounts, language)),
  ],
  dollars: (t, language) => [
    {
      title: t('amounts.debt'),
      isNumber: true,
      cell: ({ userDebt }) => <Debt debt={userDebt} t={t} language={language} />,
    },
    number(t('amounts.limit.column'), ({ userDebtLimit }) => formatDollars(userDebtLimit, language)),
    {
      title: t('amounts.since'),
      cell: ({ userDebtSince }) => userDebtSince && <When date={userDebtSince} />,
    },
  ],
}
