import { getUser, setContact } from '@kelid/contract'
import type { FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { notifyError } from '../../../calls/explain.ts'
import { useForm } from '../../../lib/form.ts'
import { notify } from '../../../lib/notices.ts'
import { useRuleText } from '../../../lib/use-rule-text.ts'
import { useAct, useRead } from '../../../shared/reads/query.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import styles from '../../../ui/form.module.css'
import quiet from './signed-in-as.module.css'

/** undefined until it is read, and for a server that has none. */
export const useContact = (): string | undefined => useRead(getUser, {}).data?.userContact

const asTyped = (values: { userContact: string }) => values

export function ContactForm({ saved }: { saved: string }) {
  const { t } = useTranslation('reseller/auth')
  const ruleText = useRuleText()
  const form = useForm(setContact, { userContact: saved }, asTyped)
  const change = useAct(setContact, { refreshes: [getUser] })
  const isChanged = form.values.userContact.trim() !== saved

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!form.isValid || !isChanged || change.isPending) return form.showAll()
    change.mutate(
      { body: form.values },
      {
        onSuccess: () => notify(t('settings.customersContactSaved'), 'success'),
        onError: (error) => notifyError(t, error),
      },
    )
  }

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <p className={quiet.quiet}>{t('settings.customersContactText')}</p>
      <TextField
        name="userContact"
        label={t('settings.customersContactLabel')}
        hint={t('settings.customersContactHint')}
        value={form.values.userContact}
        onValue={(value) => form.set('userContact', value)}
        onBlur={() => form.touch('userContact')}
        error={ruleText(form.ruleOf('userContact'))}
        dir="auto"
        autoComplete="off"
      />
      <div>
        <Button type="submit" isBusy={change.isPending} disabled={!form.isValid || !isChanged}>
          {t('settings.customersContactSave')}
        </Button>
      </div>
    </form>
  )
}
