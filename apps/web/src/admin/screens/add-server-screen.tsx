import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { notify } from '../../lib/notices.ts'
import { LinkButton } from '../../ui/button.tsx'
import { AddServerForm } from '../hosts/form/add-server-form.tsx'
import { ProductKey } from '../hosts/form/product-key.tsx'
import { AnsibleLog } from '../hosts/log/ansible-log.tsx'
import { Appearing } from '../kit/appearing.tsx'
import { useLeaveLater } from '../kit/leave-later.ts'
import { Screen } from '../kit/screen.tsx'
import { adminPaths } from '../paths.ts'

export function AddServerScreen() {
  const { t } = useTranslation('admin')
  const [created, setCreated] = useState<string>()
  const { leaveLater, stay } = useLeaveLater(adminPaths.servers)
  return (
    <Screen title={t('servers.add')}>
      <ProductKey />
      <AddServerForm
        address={useSearchParams()[0].get('at') ?? ''}
        onCreated={({ serverUUID, serverName: name }) => {
          notify(t('servers.added', { name }), 'success')
          setCreated(serverUUID)
          leaveLater()
        }}
      />
      {created && (
        <Appearing>
          <AnsibleLog kind="server" uuid={created} onOpen={stay}>
            <LinkButton to={adminPaths.servers}>{t('servers.toList')}</LinkButton>
          </AnsibleLog>
        </Appearing>
      )}
    </Screen>
  )
}
