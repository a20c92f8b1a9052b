import { getServer } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { LinkButton } from '../../ui/button.tsx'
import { EditHost } from '../hosts/detail/edit-host.tsx'
import { HostActs } from '../hosts/detail/host-acts.tsx'
import { HostAgent } from '../hosts/detail/host-agent.tsx'
import { HostHealth } from '../hosts/detail/host-health.tsx'
import { HostKey } from '../hosts/detail/host-key.tsx'
import { HostState } from '../hosts/detail/host-state.tsx'
import { NewRealityKeys } from '../hosts/detail/new-reality-keys.tsx'
import { RunHistory } from '../hosts/detail/run-history.tsx'
import { ServerFacts } from '../hosts/detail/server-facts.tsx'
import { TargetTrouble } from '../hosts/detail/target-trouble.tsx'
import { useLiveHost } from '../hosts/detail/use-live-host.ts'
import { hostOfListed, hostOfServer } from '../hosts/host/host.ts'
import { InList } from '../hosts/host/in-list.tsx'
import { AnsibleLog } from '../hosts/log/ansible-log.tsx'
import { HostBlocks } from '../hosts/replacing/host-blocks.tsx'
import { ReplaceButton } from '../hosts/replacing/replace-host.tsx'
import { Facts } from '../kit/facts.tsx'
import { Latin } from '../kit/latin.tsx'
import { ReadOne } from '../kit/read-one.tsx'
import { Screen } from '../kit/screen.tsx'
import { adminShapes } from '../kit/shapes.ts'
import { adminPaths, changeServerPath, compensatePath, machinePath, replaceParameter } from '../paths.ts'

export function ServerScreen() {
  const { t } = useTranslation('admin')
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const { serverUUID = '' } = useParams()
  useLiveHost('server', serverUUID)
  const change = (
    <LinkButton kind="primary" to={changeServerPath(serverUUID)}>
      {t('servers.change')}
    </LinkButton>
  )
  return (
    <ReadOne
      key={serverUUID}
      call={getServer}
      body={{ serverUUID }}
      title={t('servers.one')}
      missingText={t('servers.gone')}
      failed={t('servers.failedOne')}
      to={adminPaths.servers}
      toLabel={t('servers.toList')}
      otherwise={(missing) => (
        <InList serverUUID={serverUUID} missing={missing}>
          {(server) => (
            <Screen title={<Latin>{hostOfListed(server).name}</Latin>} actions={change}>
              <Facts
                facts={[
                  [t('hosts.url'), <Latin key="url">{server.serverURL}</Latin>],
                  [t('servers.type'), <Latin key="type">{server.serverType}</Latin>],
                ]}
              />
              <AnsibleLog kind="server" uuid={serverUUID} />
            </Screen>
          )}
        </InList>
      )}
    >
      {(server) => {
        const host = hostOfServer(server)
        return (
          <Screen title={<Latin>{server.serverName}</Latin>} actions={change}>
            <HostState host={host}>
              <TargetTrouble server={server} />
              <HostActs
                host={host}
                edit={(close) => <EditHost kind="server" host={server} onClose={close} />}
                onRemoved={() => void navigate(adminPaths.servers, { replace: true })}
              >
                <NewRealityKeys host={host} server={server} />
                <ReplaceButton host={host} opens={query.get('act') === replaceParameter.act} />
                <LinkButton to={machinePath(host.ipv4)}>{t('machines.one')}</LinkButton>
                <LinkButton icon={adminShapes.gift} to={compensatePath({ serverUUID })}>
                  {t('hosts.compensate')}
                </LinkButton>
              </HostActs>
            </HostState>
            <HostBlocks host={host} />
            <HostHealth host={host} />
            <ServerFacts server={server} />
            <HostKey host={host} />
            <HostAgent host={host} />
            <AnsibleLog kind="server" uuid={serverUUID} isOpen />
            <RunHistory host={host} />
          </Screen>
        )
      }}
    </ReadOne>
  )
}
