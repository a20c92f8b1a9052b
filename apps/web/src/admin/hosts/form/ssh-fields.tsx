import { useTranslation } from 'react-i18next'
import { PasswordField, TextField } from '../../../ui/field.tsx'
import { Switch } from '../../../ui/switch.tsx'
import type { BoundField } from '../../kit/bind.ts'
import { TextArea } from '../../kit/text-area.tsx'
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
      <ReplacePassword
        isOn={replace.value !== ''}
        onChange={(isOn) => replace.onValue(isOn ? 'yes' : '')}
        disabled={replace.disabled || password.value === ''}
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

interface Props {
  isOn: boolean
  onChange: (isOn: boolean) => void
  disabled: boolean
}

function ReplacePassword({ isOn, onChange, disabled }: Props) {
  const { t } = useTranslation('admin')
  return (
    <div className={styles.choice}>
      <Switch label={t('ssh.replace')} isOn={isOn} onChange={onChange} disabled={disabled} />
      <p>{t('ssh.replaceHint')}</p>
    </div>
  )
}
