import { useTranslation } from 'react-i18next'
import { PasswordField, TextField } from '../../../ui/field.tsx'
import type { BoundField } from '../../kit/bind.ts'
import { TextArea } from '../../kit/text-area.tsx'
import { Choice } from './choice.tsx'
import styles from './form.module.css'

export interface SshFieldsProps {
  port: BoundField
  username: BoundField
  password: BoundField
  replace: BoundField
  privateKey: BoundField
  /** An existing host keeps the values of empty fields. */
  isChange?: boolean
}

export function SshFields({
  port,
  username,
  password,
  replace,
  privateKey,
  isChange = false,
}: SshFieldsProps) {
  const { t } = useTranslation('admin')
  return (
    <>
      <div className={styles.pair}>
        <TextField
          {...username}
          label={t('servers.sshUsername')}
          hint={t(isChange ? 'ssh.unchanged' : 'ssh.usernameHint')}
          isLatin
        />
        <PasswordField
          {...password}
          label={t('servers.sshPassword')}
          hint={t('ssh.passwordHint')}
          autoComplete="new-password"
        />
        <TextField
          {...port}
          label={t('servers.sshPort')}
          hint={t(isChange ? 'ssh.portUnchanged' : 'ssh.portHint')}
          inputMode="numeric"
          isLatin
        />
      </div>
      <Choice
        field={{ ...replace, disabled: replace.disabled || password.value === '' }}
        label={t('ssh.replace')}
        hint={t('ssh.replaceHint')}
      />
      <TextArea
        {...privateKey}
        label={t('servers.sshKey')}
        hint={t('servers.secretHint')}
        spellCheck={false}
        isLatin
      />
    </>
  )
}
