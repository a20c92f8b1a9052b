import { hasAlpn, hasHello, hasReality, isQuic } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { PasswordField, TextField } from '../../../ui/field.tsx'
import type { useBind } from '../../kit/bind.ts'
import { DateField } from '../../kit/date-field.tsx'
import { AlpnField, FingerprintField } from '../../kit/hello-fields.tsx'
import { TextArea } from '../../kit/text-area.tsx'
import type { ServerValues } from './add-server.ts'
import { FieldGroup } from './field-group.tsx'
import styles from './form.module.css'
import { QuicFields } from './quic-fields.tsx'
import { QuotaFields } from './quota-fields.tsx'
import { SiteField } from './site-field.tsx'
import { SshFields } from './ssh-fields.tsx'

interface Props {
  bind: ReturnType<typeof useBind<ServerValues>>
  vpnType: ServerValues['serverVPNType']
  /** The machine is a new one. */
  needsAccess: boolean
}

export function MoreServerFields({ bind, vpnType, needsAccess }: Props) {
  const { t } = useTranslation('admin')
  return (
    <details className={styles.more}>
      <summary>{t('hosts.more')}</summary>
      <div className={styles.form}>
        {needsAccess && (
          <SshFields
            port={bind('serverSSHPort')}
            username={bind('serverSSHUsername')}
            password={bind('serverSSHPassword')}
            replace={bind('serverReplacePassword')}
            privateKey={bind('serverSSHKey')}
          />
        )}
        <FieldGroup title={t('servers.connection')}>
          <div className={styles.pair}>
            <TextField
              {...bind('serverSNIAddress')}
              label={t('servers.sniAddress')}
              hint={t('servers.sniHint')}
              isLatin
            />
            <TextField
              {...bind('serverIPV6')}
              label={t('servers.ipv6')}
              hint={t('servers.ipv6Hint')}
              isLatin
            />
          </div>
          {vpnType !== '' && hasHello(vpnType) && (
            <div className={styles.pair}>
              <FingerprintField field={bind('serverFingerprint')} />
              {hasAlpn(vpnType) && <AlpnField field={bind('serverAlpn')} />}
            </div>
          )}
          {vpnType !== '' && isQuic(vpnType) && (
            <QuicFields obfuscated={bind('serverObfuscated')} hopPorts={bind('serverHopPorts')} />
          )}
          {vpnType !== '' && !hasReality(vpnType) && <SiteField {...bind('serverSite')} />}
          <TextArea
            {...bind('serverConfigJson')}
            label={t('servers.configJson')}
            hint={t('servers.configHint')}
            spellCheck={false}
            isLatin
          />
        </FieldGroup>
        <FieldGroup title={t('servers.target')} text={t('servers.targetText')}>
          <div className={styles.pair}>
            <TextField {...bind('serverTargetCountry')} label={t('servers.targetCountry')} dir="auto" />
            <TextField {...bind('serverTargetOperator')} label={t('servers.targetOperator')} dir="auto" />
          </div>
        </FieldGroup>
        <QuotaFields quota={bind('serverQuota')} day={bind('serverQuotaDay')} />
        <DateField
          {...bind('serverExpireDate')}
          label={t('servers.expireDate')}
          hint={t('servers.expireHint')}
        />
        <FieldGroup title={t('hosts.notes')} text={t('hosts.notesText')}>
          <div className={styles.pair}>
            <TextField {...bind('serverProvider')} label={t('servers.provider')} dir="auto" />
            <TextField {...bind('serverLocation')} label={t('servers.location')} dir="auto" />
            <TextField {...bind('serverProtocol')} label={t('servers.protocol')} isLatin />
            <TextField {...bind('serverConfigName')} label={t('servers.configName')} isLatin />
            <TextField {...bind('serverHostingName')} label={t('servers.hostingName')} dir="auto" />
            <TextField {...bind('serverHostingUsername')} label={t('servers.hostingUsername')} isLatin />
            <PasswordField
              {...bind('serverHostingPassword')}
              label={t('servers.hostingPassword')}
              autoComplete="new-password"
            />
          </div>
          <TextArea {...bind('serverDescription')} label={t('servers.description')} rows={3} />
        </FieldGroup>
      </div>
    </details>
  )
}
