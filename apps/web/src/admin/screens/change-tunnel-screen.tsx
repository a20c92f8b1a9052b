import { getTunnel } from '@kelid/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { notify } from '../../lib/notices.ts'
import { LinkButton } from '../../ui/button.tsx'
import { ChangeTunnelForm, type TunnelPlace } from '../hosts/form/change-tunnel-form.tsx'
import { WithoutList } from '../hosts/host/in-list.tsx'
import { AnsibleLog } from '../hosts/log/ansible-log.tsx'
import { Appearing } from '../kit/appearing.tsx'
import { useLeaveLater } from '../kit/leave-later.ts'
import { ReadOne } from '../kit/read-one.tsx'
import { Screen } from '../kit/screen.tsx'
import { adminPaths } from '../paths.ts'

export function ChangeTunnelScreen() {
  const { t } = useTranslation('admin')
  const { tunnelUUID = '' } = useParams()
  const [isChanged, setChanged] = useState(false)
  const { leaveLater, stay } = useLeaveLater(adminPaths.tunnels)
  const form = (tunnel: TunnelPlace, name: string) => (
    <Screen title={t('tunnels.changeTitle', { name })}>
      <ChangeTunnelForm
        tunnel={tunnel}
        onChanged={() => {
          notify(t('tunnels.changed', { name }), 'success')
          setChanged(true)
          leaveLater()
        }}
      />
      {isChanged && (
        <Appearing>
          <AnsibleLog kind="tunnel" uuid={tunnelUUID} onOpen={stay}>
            <LinkButton to={adminPaths.tunnels}>{t('tunnels.toList')}</LinkButton>
          </AnsibleLog>
        </Appearing>
      )}
    </Screen>
  )
  return (
    <ReadOne
      key={tunnelUUID}
      call={getTunnel}
      body={{ tunnelUUID }}
      title={t('tunnels.change')}
      missingText={t('tunnels.gone')}
      failed={t('tunnels.failedOne')}
      to={adminPaths.tunnels}
      toLabel={t('tunnels.toList')}
      otherwise={(missing) => <WithoutList missing={missing}>{form({ tunnelUUID }, tunnelUUID)}</WithoutList>}
    >
      {(tunnel) => form(tunnel, tunnel.tunnelName)}
    </ReadOne>
  )
}
