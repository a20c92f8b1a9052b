import { useTranslation } from 'react-i18next'
import { LinkButton } from '../../ui/button.tsx'
import { HostTabs } from '../hosts/list/host-tabs.tsx'
import { ServerList } from '../hosts/list/server-list.tsx'
import { Screen } from '../kit/screen.tsx'
import { adminShapes } from '../kit/shapes.ts'
import { adminPaths, serverPath } from '../paths.ts'

export function ServersScreen() {
  const { t } = useTranslation('admin')
  const add = (
    <LinkButton kind="primary" icon={adminShapes.plus} to={adminPaths.addServer}>
      {t('servers.add')}
    </LinkButton>
  )
  return (
    <Screen title={t('servers.title')} actions={add}>
      <HostTabs current="server" to={{ server: adminPaths.servers, tunnel: adminPaths.tunnels }} />
      <ServerList pathOf={serverPath} add={add} />
    </Screen>
  )
}
