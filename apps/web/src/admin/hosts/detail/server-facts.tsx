import { hasAlpn, hasHello, hasReality, isQuic } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { When } from '../../../shared/when.tsx'
import { Ends } from '../../kit/ends.tsx'
import { Facts } from '../../kit/facts.tsx'
import { Latin } from '../../kit/latin.tsx'
import { Section } from '../../kit/section.tsx'
import { CountryName } from '../host/country-name.tsx'
import type { Server } from '../host/host.ts'
import { RunningVersion } from './running-version.tsx'

const latin = (text: string | number) => (text === '' ? null : <Latin key="text">{text}</Latin>)
const isolated = (text: string) => (text === '' ? null : <bdi key="text">{text}</bdi>)

export function ServerFacts({ server }: { server: Server }) {
  const { t } = useTranslation('admin')
  const storedText = (has: boolean) => t(has ? 'servers.kept' : 'servers.notKept')
  const isHello = hasHello(server.serverVPNType)
  const alpnOf = (alpn: Server['serverAlpn']) => {
    if (alpn === '') return t('servers.helloDefault')
    return alpn === 'none' ? t('servers.alpnNone') : latin(alpn)
  }
  return (
    <Section title={t('hosts.details')}>
      <Facts
        facts={[
          [t('hosts.url'), latin(server.serverURL)],
          [t('hosts.ipv4'), latin(server.serverIPV4)],
          [t('servers.ipv6'), latin(server.serverIPV6)],
          [t('hosts.port'), latin(server.serverPort)],
          [t('servers.type'), latin(server.serverType)],
          [t('servers.vpnType'), latin(server.serverVPNType)],
          [t('hosts.versionEntered'), latin(`${server.serverVersion}, VPN ${server.serverVPNVersion}`)],
          [t('hosts.versionRuns'), <RunningVersion key="runs" hostUUID={server.serverUUID} />],
          [t('servers.tunnelType'), latin(server.serverTunnelType)],
          [t('hosts.country'), <CountryName key="country" country={server.country} />],
          [t('servers.protocol'), latin(server.serverProtocol)],
          [t('servers.sniAddress'), latin(server.serverSNIAddress)],
          ...(hasReality(server.serverVPNType)
            ? ([
                [
                  t('servers.realityTarget'),
                  server.serverRealityTarget ? latin(server.serverRealityTarget) : t('servers.realityOwn'),
                ],
                [t('servers.realityKey'), latin(server.serverReality?.publicKey ?? '')],
                [t('servers.realityShortId'), latin(server.serverReality?.shortId ?? '')],
              ] as const)
            : [[t('servers.realityTarget'), latin(server.serverSite)] as const]),
          ...(isQuic(server.serverVPNType)
            ? ([
                [
                  t('servers.obfuscated'),
                  t(server.serverObfuscated ? 'servers.optionOn' : 'servers.optionOff'),
                ],
                [t('servers.hopPorts'), latin(server.serverHopPorts)],
              ] as const)
            : []),
          [
            t('servers.fingerprint'),
            isHello
              ? server.serverFingerprint
                ? latin(server.serverFingerprint)
                : t('servers.helloDefault')
              : null,
          ],
          [t('servers.alpn'), hasAlpn(server.serverVPNType) ? alpnOf(server.serverAlpn) : null],
          [t('servers.extraConfig'), storedText(server.serverHasConfigJson)],
          [t('servers.configName'), latin(server.serverConfigName)],
          [t('servers.provider'), isolated(server.serverProvider)],
          [
            t('servers.expireDate'),
            server.serverExpireDate && <Ends key="ends" date={server.serverExpireDate} />,
          ],
          [t('servers.location'), isolated(server.serverLocation)],
          [t('servers.targetCountry'), isolated(server.serverTargetCountry)],
          [t('servers.targetOperator'), isolated(server.serverTargetOperator)],
          [t('servers.sshPort'), latin(server.serverSSHPort)],
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
