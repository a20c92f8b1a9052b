import { type AnyAccount, day, getAnyAccount, giftDays, limits } from '@kelid/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { read } from '../../../calls/api.ts'
import { brokenRules } from '../../../lib/form.ts'
import { formatDate, formatNumber } from '../../../lib/format.ts'
import { notify } from '../../../lib/notices.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { TextField } from '../../../ui/field.tsx'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { useActOnce } from '../../kit/act-once.ts'
import { useBasis } from '../../kit/basis.ts'
import { parseNumber } from '../../kit/parse-number.ts'
import { Preview } from '../../kit/preview.tsx'
import { ReasonField } from '../../kit/reason-field.tsx'
import { useRuleText } from '../../kit/use-rule-text.ts'
import { accountReads } from './touched.ts'

/** Days are added to the expiry date, or to now if the account has expired. */
const addDays = (days: number, expires: string): string =>
  new Date(Math.max(Date.now(), Date.parse(expires)) + days * day).toISOString()

export function GiftDialog({ account, onClose }: { account: AnyAccount; onClose: () => void }) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  const ruleText = useRuleText()
  const { accountUUID, accountName: name } = account
  const once = useActOnce(giftDays, accountReads, accountUUID)
  const basis = useBasis(account.accountExpireDate, async () => {
    return (await read(getAnyAccount, { accountUUID })).accountExpireDate
  })
  const [input, setInput] = useState('30')
  const [reason, setReason] = useState('')
  const accountDuration = parseNumber(input)
  const broken = brokenRules(giftDays, { accountUUID, accountDuration, reason: reason.trim() })
  const format = (date: string) => <bdi>{formatDate(date, language)}</bdi>
  const [minDays, maxDays] = [limits.daysMin, limits.daysMax].map((days) => formatNumber(days, language))
  return (
    <ActDialog
      title={t('adminAccounts.gift.title', { name })}
      confirm={t('adminAccounts.gift.confirm')}
      isReady={Object.keys(broken).length === 0}
      once={once}
      onChanged={basis.readAgain}
      onClose={onClose}
      onConfirm={async () => {
        const body = { accountUUID, accountDuration, reason: reason.trim(), basedOn: basis.now }
        const { accountExpireDate } = await once.send(body)
        const date = formatDate(accountExpireDate, language)
        notify(t('adminAccounts.gift.done', { name, date }), 'success')
      }}
    >
      <p>{t('adminAccounts.gift.text')}</p>
      <TextField
        label={t('adminAccounts.gift.days')}
        value={input}
        onValue={setInput}
        error={input === '' ? undefined : ruleText(broken.accountDuration)}
        hint={t('adminAccounts.gift.daysHint', { least: minDays, most: maxDays })}
        inputMode="numeric"
        autoComplete="off"
        isLatin
      />
      <ReasonField value={reason} onValue={setReason} rule={broken.reason} />
      <Preview
        previous={basis.previous === undefined ? null : format(basis.previous)}
        now={format(basis.now)}
        after={broken.accountDuration === undefined ? format(addDays(accountDuration, basis.now)) : null}
      />
    </ActDialog>
  )
}
