import { useTranslation } from 'react-i18next'
import { PasswordField, TextField } from '../../../ui/field.tsx'
import type { useBind } from '../../kit/bind.ts'
import { TextArea } from '../../kit/text-area.tsx'
import styles from './form.module.css'
import { ReplacePassword } from './replace-password.tsx'

export const noTunnelAccess = {
  tunnelSSHUsername: '',
  tunnelSSHPassword: '',
  tunnelSSHKey: '',
  /** 'yes', or '' for no. */
  tunnelReplacePassword: '',
}
type Access = typeof noTunnelAccess

/** Beyond the specification, and so sent only where something was filled in. */
export const accessBody = (values: Access) => ({
  ...(values.tunnelSSHUsername.trim() && { tunnelSSHUsername: values.tunnelSSHUsername.trim() }),
  ...(values.tunnelSSHPassword && { tunnelSSHPassword: values.tunnelSSHPassword }),
  ...(values.tunnelSSHKey && { tunnelSSHKey: values.tunnelSSHKey }),
  ...(values.tunnelReplacePassword && values.tunnelSSHPassword && { tunnelReplacePassword: true }),
})

/** What may stay empty, folded away. */
export function TunnelAccess<Values extends Access>({
  bind,
}: {
  bind: ReturnType<typeof useBind<Values & Record<keyof Values, string>>>
}) {
  const { t } = useTranslation('admin')
  const replace = bind('tunnelReplacePassword')
  const password = bind('tunnelSSHPassword')
  return (
    <details className={styles.more}>
      <summary>{t('hosts.more')}</summary>
      <div className={styles.form}>
        <div className={styles.pair}>
          <TextField
            {...bind('tunnelSSHUsername')}
            label={t('servers.sshUsername')}
            hint={t('ssh.usernameHint')}
            isLatin
          />
          <PasswordField {...password} label={t('servers.sshPassword')} autoComplete="new-password" />
        </div>
        <ReplacePassword
          isOn={replace.value !== ''}
          onChange={(isOn) => replace.onValue(isOn ? 'yes' : '')}
          disabled={replace.disabled || password.value === ''}
        />
        <TextArea
          {...bind('tunnelSSHKey')}
          label={t('servers.sshKey')}
          hint={t('servers.secretHint')}
          spellCheck={false}
          isLatin
        />
      </div>
    </details>
  )
}
