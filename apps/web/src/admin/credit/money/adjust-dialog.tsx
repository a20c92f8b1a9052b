import { getUserDetail, type Unit, type User } from '@kelid/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { read } from '../../../calls/api.ts'
import { brokenRules } from '../../../lib/form.ts'
import { formatAmount, formatNumber, formatSigned } from '../../../lib/format.ts'
import { notify } from '../../../lib/notices.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { Warning } from '../../../shared/dialogs/warning.tsx'
import { TextField } from '../../../ui/field.tsx'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { useActOnce } from '../../kit/act-once.ts'
import { useBasis } from '../../kit/basis.ts'
import { parseNumber } from '../../kit/parse-number.ts'
import { Preview } from '../../kit/preview.tsx'
import { ReasonField } from '../../kit/reason-field.tsx'
import { useRuleText } from '../../kit/use-rule-text.ts'
import { moneyOf, moneyReads, sumOf } from './units.ts'

interface Props {
  user: User
  unit: Unit
  onClose: () => void
}

export function AdjustDialog({ user, unit, onClose }: Props) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  const ruleText = useRuleText()
  const { adjust, balanceOf } = moneyOf[unit]
  const { userEmail, userCreditRate: rate } = user
  const once = useActOnce(adjust, moneyReads, userEmail)
  const basis = useBasis(balanceOf(user), async () => balanceOf(await read(getUserDetail, { userEmail })))
  const [input, setInput] = useState('')
  const [reason, setReason] = useState('')
  const [isTouched, setTouched] = useState(false)

  const amount = parseNumber(input)
  const broken = brokenRules(adjust, { userEmail, amount, reason: reason.trim() })
  const after = sumOf(basis.now, amount)
  const isTooMuch = broken.amount === undefined && after < 0
  const format = (value: number) => <bdi>{formatAmount(value, unit, language)}</bdi>
  return (
    <ActDialog
      title={t(`amounts.title.${unit}`, { email: userEmail })}
      confirm={t(amount < 0 ? `amounts.take.${unit}` : `amounts.give.${unit}`)}
      isReady={Object.keys(broken).length === 0 && !isTooMuch}
      once={once}
      onChanged={basis.readAgain}
      onClose={onClose}
      onConfirm={async () => {
        await once.send({ userEmail, amount, reason: reason.trim(), basedOn: basis.now })
        const signed = formatSigned(amount, unit, language)
        notify(t(`amounts.done.${unit}`, { amount: signed, email: userEmail }), 'success')
      }}
    >
      <TextField
        label={t(`amounts.amount.${unit}`)}
        value={input}
        onValue={setInput}
        onBlur={() => setTouched(input !== '')}
        error={isTouched ? ruleText(broken.amount) : undefined}
        hint={t(`amounts.sign.${unit}`, { rate: formatNumber(rate, language) })}
        autoComplete="off"
        isLatin
      />
      <ReasonField value={reason} onValue={setReason} rule={broken.reason} hint={t('amounts.reasonHint')} />
      <Preview
        previous={basis.previous === undefined ? undefined : format(basis.previous)}
        now={format(basis.now)}
        after={broken.amount === undefined && !isTooMuch ? format(after) : null}
      />
      {isTooMuch && <Warning>{t(`amounts.tooMuch.${unit}`)}</Warning>}
    </ActDialog>
  )
}
