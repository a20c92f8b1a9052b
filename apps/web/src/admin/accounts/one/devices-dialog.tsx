import { type AnyAccount, getAnyAccount, limits, setAnyAccountMaxDevices } from '@kelid/contract'
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

export function DevicesDialog({ account, onClose }: { account: AnyAccount; onClose: () => void }) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  const ruleText = useRuleText()
  const save = useAct(setAnyAccountMaxDevices, { refreshes: accountReads })
  const { accountUUID, accountName: name } = account
  const basis = useBasis(account.accountMaxDevices, async () => {
    return (await read(getAnyAccount, { accountUUID })).accountMaxDevices
  })
  const [input, setInput] = useState(String(account.accountMaxDevices ?? ''))
  const accountMaxDevices = input.trim() === '' ? null : parseNumber(input)
  const rule = brokenRules(setAnyAccountMaxDevices, { accountUUID, accountMaxDevices }).accountMaxDevices
  const describe = (devices: number | null) =>
    devices === null ? t('adminAccounts.devices.default') : formatNumber(devices, language)
  const isChange = rule === undefined && accountMaxDevices !== basis.now
  return (
    <ActDialog
      title={t('adminAccounts.devices.title', { name })}
      confirm={t('adminAccounts.devices.confirm')}
      isReady={isChange}
      onChanged={basis.readAgain}
      onClose={onClose}
      onConfirm={async () => {
        await save.mutateAsync({ body: { accountUUID, accountMaxDevices, basedOn: basis.now } })
        notify(t('adminAccounts.devices.done', { name }), 'success')
      }}
    >
      <p>{t('adminAccounts.devices.text')}</p>
      <TextField
        label={t('adminAccounts.maxDevices')}
        value={input}
        onValue={setInput}
        error={ruleText(rule)}
        hint={t('adminAccounts.devices.hint', { most: formatNumber(limits.devicesMax, language) })}
        inputMode="numeric"
        autoComplete="off"
        isLatin
      />
      <Preview
        previous={basis.previous === undefined ? null : describe(basis.previous)}
        now={describe(basis.now)}
        after={isChange ? describe(accountMaxDevices) : null}
      />
    </ActDialog>
  )
}
