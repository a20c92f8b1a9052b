import { getSettings, getUserDetail, setUserDebtLimit, setUserRate, type User } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { read } from '../../../calls/api.ts'
import { brokenRules } from '../../../lib/form.ts'
import { formatDollars, formatNumber } from '../../../lib/format.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { useAct, useRead } from '../../../shared/reads/query.ts'
import { EditDialog } from '../../kit/edit-dialog.tsx'
import { parseNumber } from '../../kit/parse-number.ts'
import { moneyReads } from './units.ts'

interface Props {
  user: User
  onClose: () => void
}

export function RateDialog({ user, onClose }: Props) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  const { userEmail } = user
  const defaultRate = useRead(getSettings, {}).data?.defaultCreditRate
  const save = useAct(setUserRate, { refreshes: moneyReads })
  const defaultRateText = defaultRate === undefined ? '…' : formatNumber(defaultRate, language)
  return (
    <EditDialog<number | null>
      onClose={onClose}
      edit={{
        title: t('amounts.rate.title', { email: userEmail }),
        label: t('amounts.rate.label'),
        hint: t('amounts.rate.hint', { rate: defaultRateText }),
        initial: user.userCustomCreditRate,
        textOf: (rate) => (rate === null ? '' : String(rate)),
        valueOf: (text) => (text.trim() === '' ? null : parseNumber(text)),
        ruleOf: (userCustomCreditRate) =>
          brokenRules(setUserRate, { userEmail, userCustomCreditRate }).userCustomCreditRate,
        describe: (rate) => (
          <bdi>
            {rate === null
              ? t('amounts.rate.usual', { rate: defaultRateText })
              : t('amounts.rate.own', { rate: formatNumber(rate, language) })}
          </bdi>
        ),
        read: async () => (await read(getUserDetail, { userEmail })).userCustomCreditRate,
        save: (userCustomCreditRate, basedOn) =>
          save.mutateAsync({ body: { userEmail, userCustomCreditRate, basedOn } }),
        done: t('amounts.rate.done', { email: userEmail }),
      }}
    />
  )
}

export function DebtLimitDialog({ user, onClose }: Props) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  const { userEmail } = user
  const save = useAct(setUserDebtLimit, { refreshes: moneyReads })
  return (
    <EditDialog<number>
      onClose={onClose}
      edit={{
        title: t('amounts.limit.title', { email: userEmail }),
        label: t('amounts.limit.label'),
        hint: t('amounts.limit.hint'),
        initial: user.userDebtLimit,
        textOf: String,
        valueOf: parseNumber,
        ruleOf: (value) => brokenRules(setUserDebtLimit, { userEmail, value }).value,
        describe: (limit) => <bdi>{formatDollars(limit, language)}</bdi>,
        warn: (limit) => (limit < user.userDebt ? t('amounts.limit.belowDebt') : undefined),
        read: async () => (await read(getUserDetail, { userEmail })).userDebtLimit,
        save: (value, basedOn) => save.mutateAsync({ body: { userEmail, value, basedOn } }),
        done: t('amounts.limit.done', { email: userEmail }),
      }}
    />
  )
}
