import { useTranslation } from 'react-i18next'
import { formatDate } from '../../../lib/format.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { When } from '../../../shared/when.tsx'
import { Facts } from '../../kit/facts.tsx'
import { Latin } from '../../kit/latin.tsx'
import { Section } from '../../kit/section.tsx'
import { CountryName } from '../host/country-name.tsx'
import type { Server } from '../host/host.ts'

const latin = (text: string | number) => (text === '' ? null : <Latin key="text">{text}</Latin>)
const isolated = (text: string) => (text === '' ? null : <bdi key="text">{text}</bdi>)

export function ServerFacts({ server }: { server: Server }) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  const storedText = (has: boolean) => t(has ? 'servers.kept' : 'servers.notKept')
  return (
    <Section title={t('hosts.details')}>
      <Facts
        facts={[
          [t('hosts.url'), latin(server.serverURL)],
          [t('hosts.ipv4'), latin(server.serverIPV4)],
          [t('servers.ipv6'), latin(server.serverIPV6)],
          [t('hosts.port'), latin(server.serverPort)],
          [t('servers.type'), latin(`${server.serverType} ${server.serverVersion}`)],
          [t('servers.vpnType'), latin(`${server.serverVPNType} ${server.serverVPNVersion}`)],
          [t('servers.tunnelType'), latin(server.serverTunnelType)],
          [t('hosts.country'), <CountryName key="country" country={server.country} />],
          [t('servers.protocol'), latin(server.serverProtocol)],
          [t('servers.sniAddress'), latin(server.serverSNIAddress)],
          [t('servers.configName'), latin(server.serverConfigName)],
          [t('servers.provider'), isolated(server.serverProvider)],
          [t('servers.expireDate'), server.serverExpireDate && formatDate(server.serverExpireDate, language)],
          [t('servers.location'), isolated(server.serverLocation)],
          [t('servers.targetCountry'), isolated(server.serverTargetCountry)],
          [t('servers.targetOperator'), isolated(server.serverTargetOperator)],
          [t('servers.sshAccess'), storedText(server.serverHasSSHSecret)],
          [t('servers.hostingAccess'), storedText(server.serverHasHostingSecret)],
          [t('servers.description'), isolated(server.serverDescription)],
          [t('hosts.uuid'), latin(server.serverUUID)],
          [t('hosts.createdDate'), <When key="created" date={server.serverCreatedDate} />],
        ]}
      />
    </Section>
  )
}
