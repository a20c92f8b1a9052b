import { getTunnel } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { LinkButton } from '../../ui/button.tsx'
import { EditHost } from '../hosts/detail/edit-host.tsx'
import { HostActs } from '../hosts/detail/host-acts.tsx'
import { HostAgent } from '../hosts/detail/host-agent.tsx'
import { HostHealth } from '../hosts/detail/host-health.tsx'
import { HostKey } from '../hosts/detail/host-key.tsx'
import { HostState } from '../hosts/detail/host-state.tsx'
import { RunHistory } from '../hosts/detail/run-history.tsx'
import { TunnelFacts } from '../hosts/detail/tunnel-facts.tsx'
import { useLiveHost } from '../hosts/detail/use-live-host.ts'
import { hostOfTunnel } from '../hosts/host/host.ts'
import { AnsibleLog } from '../hosts/log/ansible-log.tsx'
import { HostBlocks } from '../hosts/replacing/host-blocks.tsx'
import { ReplaceButton } from '../hosts/replacing/replace-host.tsx'
import { Latin } from '../kit/latin.tsx'
import { ReadOne } from '../kit/read-one.tsx'
import { Screen } from '../kit/screen.tsx'
import { adminShapes } from '../kit/shapes.ts'
import { adminPaths, changeTunnelPath, compensatePath, machinePath, replaceParameter } from '../paths.ts'

export function TunnelScreen() {
  const { t } = useTranslation('admin')
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const { tunnelUUID = '' } = useParams()
  useLiveHost('tunnel', tunnelUUID)
  return (
    <ReadOne
      key={tunnelUUID}
      call={getTunnel}
      body={{ tunnelUUID }}
      title={t('tunnels.one')}
      missingText={t('tunnels.gone')}
      failed={t('tunnels.failedOne')}
      to={adminPaths.tunnels}
      toLabel={t('tunnels.toList')}
    >
      {(tunnel) => {
        const host = hostOfTunnel(tunnel)
        return (
          <Screen
            title={<Latin>{tunnel.tunnelName}</Latin>}
            actions={
              <LinkButton kind="primary" to={changeTunnelPath(tunnelUUID)}>
                {t('tunnels.change')}
              </LinkButton>
            }
          >
            <HostState host={host}>
              <HostActs
                host={host}
                edit={(close) => <EditHost kind="tunnel" host={tunnel} onClose={close} />}
                onRemoved={() => void navigate(adminPaths.tunnels, { replace: true })}
              >
                <ReplaceButton host={host} opens={query.get('act') === replaceParameter.act} />
                <LinkButton to={machinePath(host.ipv4)}>{t('machines.one')}</LinkButton>
                <LinkButton icon={adminShapes.gift} to={compensatePath({ tunnelUUID })}>
                  {t('hosts.compensate')}
                </LinkButton>
              </HostActs>
            </HostState>
            <HostBlocks host={host} />
            <HostHealth host={host} />
            <TunnelFacts tunnel={tunnel} />
            <HostKey host={host} />
            <HostAgent host={host} />
            <AnsibleLog kind="tunnel" uuid={tunnelUUID} isOpen />
            <RunHistory host={host} />
          </Screen>
        )
      }}
    </ReadOne>
  )
}
