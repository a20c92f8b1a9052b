import { getServer } from '@kelid/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { notify } from '../../lib/notices.ts'
import { LinkButton } from '../../ui/button.tsx'
import { ChangeServerForm, type ServerPlace } from '../hosts/form/change-server-form.tsx'
import { hostOfListed } from '../hosts/host/host.ts'
import { InList } from '../hosts/host/in-list.tsx'
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
  const form = (server: ServerPlace, name: string) => (
    <Screen title={t('servers.changeTitle', { name })}>
      <ChangeServerForm
        server={server}
        onChanged={() => {
          notify(t('servers.changed', { name }), 'success')
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
  )
  return (
    <ReadOne
      key={serverUUID}
      call={getServer}
      body={{ serverUUID }}
      title={t('servers.change')}
      missingText={t('servers.gone')}
      failed={t('servers.failedOne')}
      to={adminPaths.servers}
      toLabel={t('servers.toList')}
      otherwise={(missing) => (
        <InList serverUUID={serverUUID} missing={missing}>
          {(server) => form(server, hostOfListed(server).name)}
        </InList>
      )}
    >
      {(server) => form(server, server.serverName)}
    </ReadOne>
  )
}
