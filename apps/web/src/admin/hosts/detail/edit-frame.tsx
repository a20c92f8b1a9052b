import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { notify } from '../../../lib/notices.ts'
import { ActDialog } from '../../kit/act-dialog.tsx'
import styles from './detail.module.css'

interface Props {
  name: string
  edit: { readonly isReady: boolean; readonly readAgain: () => Promise<unknown> }
  /** What it is called from now on. */
  save: () => Promise<string>
  onClose: () => void
  /** Write-only: they are never shown, and left empty they stay as they are. */
  secrets: ReactNode
  children: ReactNode
}

/** What can be changed of a host without setting it up again. */
export function EditFrame({ name, edit, save, onClose, secrets, children }: Props) {
  const { t } = useTranslation('admin')
  return (
    <ActDialog
      title={t('hosts.edit.title', { name })}
      confirm={t('acts.save')}
      isReady={edit.isReady}
      onChanged={edit.readAgain}
      onClose={onClose}
      onConfirm={async () => {
        notify(t('hosts.edit.done', { name: await save() }), 'success')
      }}
    >
      <p>{t('hosts.edit.text')}</p>
      {children}
      <details className={styles.secrets}>
        <summary>{t('servers.secrets')}</summary>
        <div>
          <p>{t('servers.secretsText')}</p>
          {secrets}
        </div>
      </details>
    </ActDialog>
  )
}
