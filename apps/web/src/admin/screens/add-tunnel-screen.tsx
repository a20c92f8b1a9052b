import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { notify } from '../../lib/notices.ts'
import { LinkButton } from '../../ui/button.tsx'
import { AddTunnelForm } from '../hosts/form/add-tunnel-form.tsx'
import { ProductKey } from '../hosts/form/product-key.tsx'
import { AnsibleLog } from '../hosts/log/ansible-log.tsx'
import { Appearing } from '../kit/appearing.tsx'
import { useLeaveLater } from '../kit/leave-later.ts'
import { Screen } from '../kit/screen.tsx'
import { adminPaths } from '../paths.ts'

export function AddTunnelScreen() {
  const { t } = useTranslation('admin')
  const [created, setCreated] = useState<string>()
  const { leaveLater, stay } = useLeaveLater(adminPaths.tunnels)
  return (
    <Screen title={t('tunnels.add')}>
      <ProductKey />
      <AddTunnelForm
        address={useSearchParams()[0].get('at') ?? ''}
        onCreated={({ tunnelUUID, tunnelName: name }) => {
          notify(t('tunnels.added', { name }), 'success')
          setCreated(tunnelUUID)
          leaveLater()
        }}
      />
      {created && (
        <Appearing>
          <AnsibleLog kind="tunnel" uuid={created} onOpen={stay}>
            <LinkButton to={adminPaths.tunnels}>{t('tunnels.toList')}</LinkButton>
          </AnsibleLog>
        </Appearing>
      )}
    </Screen>
  )
}
