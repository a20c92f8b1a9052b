import { useTranslation } from 'react-i18next'
import styles from './form.module.css'
import { SshFields, type SshFieldsProps } from './ssh-fields.tsx'

/** A moved host needs new access: the stored password is not used at another address. */
export function MovedAccess(fields: Omit<SshFieldsProps, 'isChange'>) {
  const { t } = useTranslation('admin')
  return (
    <>
      <p>{t('ssh.moved')}</p>
      <details className={styles.more}>
        <summary>{t('ssh.movedFields')}</summary>
        <div className={styles.form}>
          <SshFields {...fields} isChange />
        </div>
      </details>
    </>
  )
}
