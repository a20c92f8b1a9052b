import { parseWholeNumber } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { TextField } from '../../../ui/field.tsx'
import type { useBind } from '../../kit/bind.ts'
import styles from './form.module.css'
import { QuotaFields } from './quota-fields.tsx'
import { SiteField } from './site-field.tsx'
import { SshFields } from './ssh-fields.tsx'

export const noTunnelAccess = {
  tunnelSSHPort: '',
  tunnelSSHUsername: '',
  tunnelSSHPassword: '',
  tunnelSSHKey: '',
  tunnelReplacePassword: '',
}
type Access = typeof noTunnelAccess

/** Fields beyond spec.md are sent only if set. */
export const accessBody = (values: Access) => ({
  ...(values.tunnelSSHPort.trim() && { tunnelSSHPort: parseWholeNumber(values.tunnelSSHPort) }),
  ...(values.tunnelSSHUsername.trim() && { tunnelSSHUsername: values.tunnelSSHUsername.trim() }),
  ...(values.tunnelSSHPassword && { tunnelSSHPassword: values.tunnelSSHPassword }),
  ...(values.tunnelSSHKey && { tunnelSSHKey: values.tunnelSSHKey }),
  ...(values.tunnelReplacePassword && values.tunnelSSHPassword && { tunnelReplacePassword: true }),
})

interface More extends Access {
  tunnelIPV6: string
  tunnelSite: string
  tunnelQuota: string
  tunnelQuotaDay: string
}

export function TunnelAccess<Values extends More>({
  bind,
  needsAccess,
}: {
  /** The machine is a new one. */
  needsAccess: boolean
  bind: ReturnType<typeof useBind<Values & Record<keyof Values, string>>>
}) {
  const { t } = useTranslation('admin')
  return (
    <details className={styles.more}>
      <summary>{t('hosts.more')}</summary>
      <div className={styles.form}>
        <TextField {...bind('tunnelIPV6')} label={t('servers.ipv6')} hint={t('servers.ipv6Hint')} isLatin />
        <SiteField {...bind('tunnelSite')} />
        {needsAccess && (
          <SshFields
            port={bind('tunnelSSHPort')}
            username={bind('tunnelSSHUsername')}
            password={bind('tunnelSSHPassword')}
            replace={bind('tunnelReplacePassword')}
            privateKey={bind('tunnelSSHKey')}
          />
        )}
        <QuotaFields quota={bind('tunnelQuota')} day={bind('tunnelQuotaDay')} />
      </div>
    </details>
  )
}
