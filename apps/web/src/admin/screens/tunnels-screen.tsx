import { useTranslation } from 'react-i18next'
import { LinkButton } from '../../ui/button.tsx'
import { HostTabs } from '../hosts/list/host-tabs.tsx'
import { TunnelList } from '../hosts/list/tunnel-list.tsx'
import { Screen } from '../kit/screen.tsx'
import { adminShapes } from '../kit/shapes.ts'
import { adminPaths, tunnelPath } from '../paths.ts'

export function TunnelsScreen() {
  const { t } = useTranslation('admin')
  const add = (
    <LinkButton kind="primary" icon={adminShapes.plus} to={adminPaths.addTunnel}>
      {t('tunnels.add')}
    </LinkButton>
  )
  return (
    <Screen title={t('tunnels.title')} actions={add}>
      <HostTabs current="tunnel" to={{ server: adminPaths.servers, tunnel: adminPaths.tunnels }} />
      <TunnelList pathOf={tunnelPath} add={add} />
    </Screen>
  )
}
