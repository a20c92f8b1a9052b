import { type AnyAccount, getAnyAccount, limits, setAnyAccountSpeed } from '@kelid/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { read } from '../../../calls/api.ts'
import { brokenRules } from '../../../lib/form.ts'
import { formatNumber } from '../../../lib/format.ts'
import { notify } from '../../../lib/notices.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { useAct } from '../../../shared/reads/query.ts'
import { TextField } from '../../../ui/field.tsx'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { useBasis } from '../../kit/basis.ts'
import { parseNumber } from '../../kit/parse-number.ts'
import { Preview } from '../../kit/preview.tsx'
import { useRuleText } from '../../kit/use-rule-text.ts'
import { accountReads } from './touched.ts'

export function SpeedDialog({ account, onClose }: { account: AnyAccount; onClose: () => void }) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  const ruleText = useRuleText()
  const save = useAct(setAnyAccountSpeed, { refreshes: accountReads })
  const { accountUUID, accountName: name } = account
  const basis = useBasis(
    account.accountSpeedLimit,
    async () => (await read(getAnyAccount, { accountUUID })).accountSpeedLimit,
  )
  const [input, setInput] = useState(String(account.accountSpeedLimit ?? ''))
  const accountSpeedLimit = input.trim() === '' ? null : parseNumber(input)
  const rule = brokenRules(setAnyAccountSpeed, { accountUUID, accountSpeedLimit }).accountSpeedLimit
  const describe = (speed: number | null) =>
    speed === null
      ? t('adminAccounts.speed.none')
      : t('adminAccounts.speed.value', { speed: formatNumber(speed, language) })
  const isChange = rule === undefined && accountSpeedLimit !== basis.now
  return (
    <ActDialog
      title={t('adminAccounts.speed.title', { name })}
      confirm={t('adminAccounts.speed.confirm')}
      isReady={isChange}
      onChanged={basis.readAgain}
      onClose={onClose}
      onConfirm={async () => {
        await save.mutateAsync({ body: { accountUUID, accountSpeedLimit, basedOn: basis.now } })
        notify(t('adminAccounts.speed.done', { name }), 'success')
      }}
    >
      <p>{t('adminAccounts.speed.text')}</p>
      <TextField
        label={t('adminAccounts.speed.label')}
        value={input}
        onValue={setInput}
        error={ruleText(rule)}
        hint={t('adminAccounts.speed.hint', { most: formatNumber(limits.speedMax, language) })}
        inputMode="numeric"
        autoComplete="off"
        isLatin
      />
      <Preview
        previous={basis.previous === undefined ? null : describe(basis.previous)}
        now={describe(basis.now)}
        after={isChange ? describe(accountSpeedLimit) : null}
      />
    </ActDialog>
  )
}
