import { getServer } from '@kelid/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { notify } from '../../lib/notices.ts'
import { LinkButton } from '../../ui/button.tsx'
import { ChangeServerForm } from '../hosts/form/change-server-form.tsx'
import { AnsibleLog } from '../hosts/log/ansible-log.tsx'
import { Appearing } from '../kit/appearing.tsx'
import { useLeaveLater } from '../kit/leave-later.ts'
import { ReadOne } from '../kit/read-one.tsx'
import { Screen } from '../kit/screen.tsx'
import { adminPaths } from '../paths.ts'

export function ChangeServerScreen() {
  const { t } = useTranslation('admin')
  const { serverUUID = '' } = useParams()
  const [isChanged, setChanged] = useState(false)
  const { leaveLater, stay } = useLeaveLater(adminPaths.servers)
  return (
    <ReadOne
      key={serverUUID}
      call={getServer}
      body={{ serverUUID }}
      title={t('servers.change')}
      gone={t('servers.gone')}
      failed={t('servers.failedOne')}
      to={adminPaths.servers}
      toLabel={t('servers.toList')}
    >
      {(server) => (
        <Screen title={t('servers.changeTitle', { name: server.serverName })}>
          <ChangeServerForm
            server={server}
            onChanged={() => {
              notify(t('servers.changed', { name: server.serverName }), 'success')
              setChanged(true)
              leaveLater()
            }}
          />
          {isChanged && (
            <Appearing>
              <AnsibleLog kind="server" uuid={serverUUID} onOpen={stay}>
                <LinkButton to={adminPaths.servers}>{t('servers.toList')}</LinkButton>
              </AnsibleLog>
            </Appearing>
          )}
        </Screen>
      )}
    </ReadOne>
  )
}
