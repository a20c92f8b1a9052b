import { useTranslation } from 'react-i18next'
import { Switch } from '../../../ui/switch.tsx'
import styles from './form.module.css'

interface Props {
  isOn: boolean
  onChange: (isOn: boolean) => void
  disabled: boolean
}

export function ReplacePassword({ isOn, onChange, disabled }: Props) {
  const { t } = useTranslation('admin')
  return (
    <div className={styles.choice}>
      <Switch label={t('ssh.replace')} isOn={isOn} onChange={onChange} disabled={disabled} />
      <p>{t('ssh.replaceHint')}</p>
    </div>
  )
}
