import { isAdminLevel, type Language, type User } from '@kelid/contract'
import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDollars, formatNumber } from '../../../lib/format.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { When } from '../../../shared/when.tsx'
import type { Column } from '../../kit/data-table.tsx'
import { Mark } from '../../kit/mark.tsx'
import { adminShapes } from '../../kit/shapes.ts'

export function usePeopleColumns(): Column<User>[] {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  return useMemo(() => columnsIn(t, language), [t, language])
}

function columnsIn(t: TFunction<'admin'>, language: Language): Column<User>[] {
  const number = (title: string, of: (user: User) => string): Column<User> => ({
    title,
    isNumber: true,
    cell: (user) => <bdi>{of(user)}</bdi>,
  })
  return [
    {
      title: t('people.level'),
      cell: ({ userLevel, userSuspended }) => (
        <span>
          <bdi>{formatNumber(userLevel, language)}</bdi>
          {isAdminLevel(userLevel) && ` · ${t('people.admin')}`}{' '}
          {userSuspended && (
            <Mark is="bad" icon={adminShapes.ban}>
              {t('people.suspended')}
            </Mark>
          )}
        </span>
      ),
    },
    number(t('amounts.points'), ({ userCredit }) => formatNumber(userCredit, language)),
    number(t('amounts.tunnelCredit'), ({ userTunnelCredit }) => formatNumber(userTunnelCredit, language)),
    {
      title: t('amounts.debt'),
      isNumber: true,
      cell: ({ userDebt }) => (
        <Mark is={userDebt > 0 ? 'bad' : 'good'} icon={userDebt > 0 ? adminShapes.alert : adminShapes.check}>
          <bdi>{formatDollars(userDebt, language)}</bdi>
        </Mark>
      ),
    },
    number(t('people.accounts'), ({ accounts }) => formatNumber(accounts, language)),
    { title: t('people.since'), cell: ({ userCreatedDate }) => <When date={userCreatedDate} /> },
  ]
}
