import {
  type Answer,
  getHostKey,
  getHostPrograms,
  getMachine,
  getMachineRuns,
  type HostKind,
} from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { LinkButton } from '../../ui/button.tsx'
import { HostKey } from '../hosts/detail/host-key.tsx'
import { MachineServices } from '../hosts/detail/machine-services.tsx'
import { MachineRuns } from '../hosts/detail/run-history.tsx'
import type { Service } from '../hosts/host/machine.ts'
import { None } from '../hosts/list/none.tsx'
import { Latin } from '../kit/latin.tsx'
import { ReadOne } from '../kit/read-one.tsx'
import { Screen } from '../kit/screen.tsx'
import { Section } from '../kit/section.tsx'
import { adminShapes } from '../kit/shapes.ts'
import { useLiveReads } from '../kit/use-live-reads.ts'
import { addServerAt, addTunnelAt, adminPaths, serverPath, tunnelPath } from '../paths.ts'
import { MachinePrograms } from '../upgrades/machine-programs.tsx'

const reads = [getMachine, getHostKey, getHostPrograms, getMachineRuns]
const pathTo = (kind: HostKind, uuid: string) => (kind === 'server' ? serverPath(uuid) : tunnelPath(uuid))
const pathOf = ({ hostKind, hostUUID }: Service) => pathTo(hostKind, hostUUID)

export function MachineScreen() {
  const { t } = useTranslation('admin')
  const { machineIPV4 = '' } = useParams()
  useLiveReads(reads, ({ type }) => type === 'server' || type === 'tunnel')
  return (
    <ReadOne
      key={machineIPV4}
      call={getMachine}
      body={{ machineIPV4 }}
      title={t('machines.one')}
      missingText={t('machines.none')}
      failed={t('machines.failed')}
      to={adminPaths.servers}
      toLabel={t('servers.toList')}
    >
      {(machine) => <Machine machine={machine} />}
    </ReadOne>
  )
}

function Machine({ machine }: { machine: Answer<typeof getMachine> }) {
  const { t } = useTranslation('admin')
  const { machineIPV4, machineSSHPort, services } = machine
  const add = (
    <>
      <LinkButton kind="primary" icon={adminShapes.plus} to={addServerAt(machineIPV4)}>
        {t('servers.add')}
      </LinkButton>
      {services.every(({ hostKind }) => hostKind !== 'tunnel') && (
        <LinkButton icon={adminShapes.plus} to={addTunnelAt(machineIPV4)}>
          {t('tunnels.add')}
        </LinkButton>
      )}
    </>
  )
  const [first] = services
  return (
    <Screen
      title={
        <>
          {t('machines.one')} <Latin>{machineIPV4}</Latin>
        </>
      }
    >
      {first ? (
        <>
          <Section title={t('machines.services')} actions={add}>
            <p>{t('machines.about')}</p>
            <MachineServices services={services} pathOf={pathOf} />
          </Section>
          <HostKey
            host={{ kind: first.hostKind, uuid: first.hostUUID, name: machineIPV4 }}
            sshPort={machineSSHPort}
          />
          <MachinePrograms machineIPV4={machineIPV4} pathOf={pathTo} />
          <MachineRuns machineIPV4={machineIPV4} pathOf={pathTo} />
        </>
      ) : (
        <None text={t('machines.none')} add={add} />
      )}
    </Screen>
  )
}
