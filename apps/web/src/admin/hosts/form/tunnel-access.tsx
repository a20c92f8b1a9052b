import { useTranslation } from 'react-i18next'
import type { useBind } from '../../kit/bind.ts'
import styles from './form.module.css'
import { SshFields } from './ssh-fields.tsx'

export const noTunnelAccess = {
  tunnelSSHUsername: '',
  tunnelSSHPassword: '',
  tunnelSSHKey: '',
  tunnelReplacePassword: '',
}
type Access = typeof noTunnelAccess

/** Fields beyond spec.md are sent only if set. */
export const accessBody = (values: Access) => ({
  ...(values.tunnelSSHUsername.trim() && { tunnelSSHUsername: values.tunnelSSHUsername.trim() }),
  ...(values.tunnelSSHPassword && { tunnelSSHPassword: values.tunnelSSHPassword }),
  ...(values.tunnelSSHKey && { tunnelSSHKey: values.tunnelSSHKey }),
  ...(values.tunnelReplacePassword && values.tunnelSSHPassword && { tunnelReplacePassword: true }),
})

export function TunnelAccess<Values extends Access>({
  bind,
}: {
  bind: ReturnType<typeof useBind<Values & Record<keyof Values, string>>>
}) {
  const { t } = useTranslation('admin')
  return (
    <details className={styles.more}>
      <summary>{t('hosts.more')}</summary>
      <div className={styles.form}>
        <SshFields
          username={bind('tunnelSSHUsername')}
          password={bind('tunnelSSHPassword')}
          replace={bind('tunnelReplacePassword')}
          privateKey={bind('tunnelSSHKey')}
        />
      </div>
    </details>
  )
}
