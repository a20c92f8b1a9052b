import { changePassword, getSessions } from '@kelid/contract'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notifyError } from '../../../calls/explain.ts'
import { strengthOf } from '../../../calls/password-strength.ts'
import { useForm } from '../../../lib/form.ts'
import { notify } from '../../../lib/notices.ts'
import { useRuleText } from '../../../lib/use-rule-text.ts'
import { useAct } from '../../../shared/reads/query.ts'
import { Button } from '../../../ui/button.tsx'
import { PasswordField } from '../../../ui/field.tsx'
import styles from '../../../ui/form.module.css'
import { PasswordStrength } from '../../../ui/password/password-strength.tsx'
import quiet from './signed-in-as.module.css'

const asTyped = (values: { oldPassword: string; newPassword: string }) => values
const empty = { oldPassword: '', newPassword: '' }

/** The key resets the form after success. */
export function PasswordForm() {
  const [round, setRound] = useState(0)
  return <OneChange key={round} onDone={() => setRound(round + 1)} />
}

function OneChange({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('reseller/auth')
  const ruleText = useRuleText()
  const form = useForm(changePassword, empty, asTyped)
  const change = useAct(changePassword, { refreshes: [getSessions] })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!form.isValid || change.isPending) return form.showAll()
    change.mutate(
      { body: form.values },
      {
        onSuccess: () => {
          notify(t('settings.passwordChanged'), 'success')
          onDone()
        },
        onError: (error) => notifyError(t, error),
      },
    )
  }

  const field = (name: 'oldPassword' | 'newPassword') => ({
    name,
    label: t(`settings.${name}`),
    value: form.values[name],
    onValue: (value: string) => form.set(name, value),
    onBlur: () => form.values[name] && form.touch(name),
    error: ruleText(form.ruleOf(name)),
  })
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <p className={quiet.quiet}>{t('settings.passwordText')}</p>
      <PasswordField {...field('oldPassword')} autoComplete="current-password" />
      <PasswordField
        {...field('newPassword')}
        autoComplete="new-password"
        hint={<PasswordStrength password={form.values.newPassword} strengthOf={strengthOf} />}
      />
      <div>
        <Button type="submit" isBusy={change.isPending} disabled={!form.isValid}>
          {t('settings.changePassword')}
        </Button>
      </div>
    </form>
  )
}
