import { useTranslation } from 'react-i18next'
import styles from './form.module.css'
import { SshFields, type SshFieldsProps } from './ssh-fields.tsx'

interface Props extends Omit<SshFieldsProps, 'isChange'> {
  /** Whether the machine has other services. */
  isShared: boolean
}

/** A moved host needs new access: the stored password is not used at another address. */
export function MovedAccess({ isShared, ...fields }: Props) {
  const { t } = useTranslation('admin')
  return (
    <>
      <p>{t('ssh.moved')}</p>
      <details className={styles.more}>
        <summary>{t('ssh.movedFields')}</summary>
        <div className={styles.form}>
          {isShared && <p>{t('ssh.shared')}</p>}
          <SshFields {...fields} isChange />
        </div>
      </details>
    </>
  )
}
