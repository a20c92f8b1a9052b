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
import { showingAccount } from './touched.ts'

/** Days are added to the expiry date, or to now if the account has expired. */
const laterBy = (days: number, expires: string): string =>
  new Date(Math.max(Date.now(), Date.parse(expires)) + days * day).toISOString()

export function GiftDialog({ account, onClose }: { account: AnyAccount; onClose: () => void }) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  const ruleText = useRuleText()
  const { accountUUID, accountName: name } = account
  const once = useActOnce(giftDays, showingAccount, accountUUID)
  const basis = useBasis(account.accountExpireDate, async () => {
    return (await read(getAnyAccount, { accountUUID })).accountExpireDate
  })
  const [typed, setTyped] = useState('30')
  const [reason, setReason] = useState('')
  const accountDuration = parseNumber(typed)
  const broken = brokenRules(giftDays, { accountUUID, accountDuration, reason: reason.trim() })
  const say = (date: string) => <bdi>{formatDate(date, language)}</bdi>
  const [least, most] = [limits.daysMin, limits.daysMax].map((days) => formatNumber(days, language))
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
        value={typed}
        onValue={setTyped}
        error={typed === '' ? undefined : ruleText(broken.accountDuration)}
        hint={t('adminAccounts.gift.daysHint', { least, most })}
        inputMode="numeric"
        autoComplete="off"
        isLatin
      />
      <ReasonField value={reason} onValue={setReason} rule={broken.reason} />
      <Preview
        saw={basis.saw === undefined ? null : say(basis.saw)}
        now={say(basis.now)}
        after={broken.accountDuration === undefined ? say(laterBy(accountDuration, basis.now)) : null}
      />
    </ActDialog>
  )
}
