import { useTranslation } from 'react-i18next'
import styles from './form.module.css'
import { SshFields, type SshFieldsProps } from './ssh-fields.tsx'

/** How the product gets in at another address, where a stored password is not used. */
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
