import { useTranslation } from 'react-i18next'
import { When } from '../../../shared/when.tsx'
import { Facts } from '../../kit/facts.tsx'
import { Latin } from '../../kit/latin.tsx'
import { Section } from '../../kit/section.tsx'
import type { Tunnel } from '../host/host.ts'
import { RunningVersion } from './running-version.tsx'

const latin = (text: string | number) => <Latin key="text">{text}</Latin>

export function TunnelFacts({ tunnel }: { tunnel: Tunnel }) {
  const { t } = useTranslation('admin')
  return (
    <Section title={t('hosts.details')}>
      <Facts
        facts={[
          [t('hosts.url'), latin(tunnel.tunnelURL)],
          [t('hosts.ipv4'), latin(tunnel.tunnelIPV4)],
          [t('servers.ipv6'), tunnel.tunnelIPV6 === '' ? null : latin(tunnel.tunnelIPV6)],
          [t('hosts.port'), latin(tunnel.tunnelPort)],
          [t('tunnels.type'), latin(tunnel.tunnelType)],
          [t('hosts.versionEntered'), latin(tunnel.tunnelVersion)],
          [t('hosts.versionRuns'), <RunningVersion key="runs" hostUUID={tunnel.tunnelUUID} />],
          [t('servers.realityTarget'), tunnel.tunnelSite ? latin(tunnel.tunnelSite) : null],
          [t('tunnels.creatorEmail'), latin(tunnel.tunnelCreatorEmail)],
          [t('servers.sshPort'), latin(tunnel.tunnelSSHPort)],
          [t('servers.sshAccess'), t(tunnel.tunnelHasSSHSecret ? 'servers.kept' : 'servers.notKept')],
          [t('hosts.uuid'), latin(tunnel.tunnelUUID)],
          [t('hosts.createdDate'), <When key="created" date={tunnel.tunnelCreatedDate} />],
        ]}
      />
    </Section>
  )
}
