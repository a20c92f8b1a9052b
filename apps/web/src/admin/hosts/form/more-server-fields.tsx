import { useTranslation } from 'react-i18next'
import { PasswordField, TextField } from '../../../ui/field.tsx'
import type { useBind } from '../../kit/bind.ts'
import { DateField } from '../../kit/date-field.tsx'
import { TextArea } from '../../kit/text-area.tsx'
import type { ServerValues } from './add-server.ts'
import styles from './form.module.css'
import { SshFields } from './ssh-fields.tsx'

export function MoreServerFields({ bind }: { bind: ReturnType<typeof useBind<ServerValues>> }) {
  const { t } = useTranslation('admin')
  return (
    <details className={styles.more}>
      <summary>{t('hosts.more')}</summary>
      <div className={styles.form}>
        <SshFields
          username={bind('serverSSHUsername')}
          password={bind('serverSSHPassword')}
          replace={bind('serverReplacePassword')}
          privateKey={bind('serverSSHKey')}
        />
        <div className={styles.pair}>
          <TextField {...bind('serverIPV6')} label={t('servers.ipv6')} isLatin />
          <TextField {...bind('serverProtocol')} label={t('servers.protocol')} isLatin />
          <TextField {...bind('serverSNIAddress')} label={t('servers.sniAddress')} isLatin />
          <TextField {...bind('serverConfigName')} label={t('servers.configName')} isLatin />
        </div>
        <TextArea {...bind('serverConfigJson')} label={t('servers.configJson')} spellCheck={false} isLatin />
        <div className={styles.pair}>
          <TextField {...bind('serverProvider')} label={t('servers.provider')} dir="auto" />
          <DateField {...bind('serverExpireDate')} label={t('servers.expireDate')} />
          <TextField {...bind('serverLocation')} label={t('servers.location')} dir="auto" />
          <TextField {...bind('serverTargetCountry')} label={t('servers.targetCountry')} dir="auto" />
          <TextField {...bind('serverTargetOperator')} label={t('servers.targetOperator')} dir="auto" />
          <TextField {...bind('serverHostingName')} label={t('servers.hostingName')} dir="auto" />
          <TextField {...bind('serverHostingUsername')} label={t('servers.hostingUsername')} isLatin />
          <PasswordField
            {...bind('serverHostingPassword')}
            label={t('servers.hostingPassword')}
            autoComplete="new-password"
          />
        </div>
        <TextArea {...bind('serverDescription')} label={t('servers.description')} rows={3} />
      </div>
    </details>
  )
}
