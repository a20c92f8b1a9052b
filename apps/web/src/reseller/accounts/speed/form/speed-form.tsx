import { type Account, getUserAccounts, limits, parseWholeNumber, setSpeed } from '@kelid/contract'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { explain, notifyError } from '../../../../calls/explain.ts'
import { brokenRules } from '../../../../lib/form.ts'
import { formatNumber } from '../../../../lib/format.ts'
import { notify } from '../../../../lib/notices.ts'
import { useLanguage } from '../../../../lib/use-language.ts'
import styles from '../../../../shared/dialogs/dialog-form.module.css'
import { Warning } from '../../../../shared/dialogs/warning.tsx'
import { useAct } from '../../../../shared/reads/query.ts'
import { Button } from '../../../../ui/button.tsx'
import { TextField } from '../../../../ui/field.tsx'
import { putAccount } from '../../account-cache.ts'

export function SpeedForm({ account, onClose }: { account: Account; onClose: () => void }) {
  const { t } = useTranslation('reseller/accounts/speed')
  const language = useLanguage()
  const client = useQueryClient()
  const act = useAct(setSpeed, { refreshes: [getUserAccounts] })
  const { accountUUID, accountName: name, accountSpeedLimit: limit = null } = account
  const [input, setInput] = useState(String(limit ?? ''))
  const accountSpeedLimit = input.trim() === '' ? null : (parseWholeNumber(input) ?? Number.NaN)
  const isValid = !('accountSpeedLimit' in brokenRules(setSpeed, { accountUUID, accountSpeedLimit }))
  const hint = t('speedLimit.hint', { most: formatNumber(limits.speedMax, language) })

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!isValid || act.isPending) return
    try {
      putAccount(client, await act.mutateAsync({ body: { accountUUID, accountSpeedLimit } }))
      notify(t('speedLimit.done', { name }), 'success')
      onClose()
    } catch (error) {
      notifyError(t, error)
    }
  }

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <TextField
        label={t('speedLimit.label')}
        value={input}
        onValue={setInput}
        error={isValid ? undefined : hint}
        hint={hint}
        inputMode="numeric"
        autoComplete="off"
        disabled={act.isPending}
        isLatin
      />
      <p className={styles.quiet}>{t('speedLimit.note')}</p>
      {act.error && <Warning>{explain(t, act.error).text}</Warning>}
      <div className={styles.actions}>
        <Button onClick={onClose}>{t('dialog.cancel')}</Button>
        <Button
          kind="primary"
          type="submit"
          isBusy={act.isPending}
          disabled={!isValid || accountSpeedLimit === limit}
        >
          {t(act.isPending ? 'speedLimit.busy' : 'speedLimit.save')}
        </Button>
      </div>
    </form>
  )
}
