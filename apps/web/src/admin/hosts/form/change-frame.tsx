import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { explain } from '../../../calls/explain.ts'
import { Warning } from '../../../shared/dialogs/warning.tsx'
import { Button } from '../../../ui/button.tsx'
import styles from './form.module.css'
import type { useSubmit } from './use-submit.ts'

interface Props extends ReturnType<typeof useSubmit> {
  about: string
  children: ReactNode
}

export function ChangeFrame({ about, submit, isBusy, isDone, error, children }: Props) {
  const { t } = useTranslation('admin')
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <p>{about}</p>
      {children}
      {error !== null && <Warning>{explain(t, error).text}</Warning>}
      <Button kind="primary" type="submit" isWide isBusy={isBusy && !isDone} disabled={isBusy}>
        {t(isDone ? 'hosts.changed' : isBusy ? 'hosts.changing' : 'hosts.change')}
      </Button>
    </form>
  )
}
