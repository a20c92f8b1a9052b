import {
  type Answer,
  getHostPrograms,
  type HostKind,
  type Program,
  type UpgradeState,
  upgradeHost,
} from '@kelid/contract'
import { type ComponentProps, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { When } from '../../shared/when.tsx'
import { Button } from '../../ui/button.tsx'
import type { Column } from '../kit/data-table.tsx'
import { Latin } from '../kit/latin.tsx'
import { Mark } from '../kit/mark.tsx'
import { PagedTable } from '../kit/paged-table.tsx'
import { Section } from '../kit/section.tsx'
import { adminShapes } from '../kit/shapes.ts'
import { UpgradeDialog } from './upgrade-dialog.tsx'
import styles from './upgrades.module.css'

type Host = Answer<typeof getHostPrograms>['items'][number]

const looks: Record<UpgradeState, Omit<ComponentProps<typeof Mark>, 'children'>> = {
  unknown: { is: 'quiet', icon: adminShapes.clock },
  current: { is: 'good', icon: adminShapes.done },
  outdated: { is: 'quiet', icon: adminShapes.download },
  waiting: { is: 'quiet', icon: adminShapes.renew },
  failed: { is: 'bad', icon: adminShapes.alert },
}

export function UpgradeList({ pathOf }: { pathOf: (kind: HostKind, uuid: string) => string }) {
  const { t } = useTranslation('admin/upgrades')
  const columns: readonly Column<Host>[] = [
    {
      title: t('upgrades.host'),
      isName: true,
      cell: ({ hostKind, hostUUID, hostName }) => (
        <Link to={pathOf(hostKind, hostUUID)}>
          <Latin>{hostName}</Latin>
        </Link>
      ),
    },
    { title: t('upgrades.state'), cell: (host) => <State host={host} /> },
    { title: t('upgrades.wanted'), cell: (host) => <Versions programs={wantedBy(host)} /> },
    { title: t('upgrades.runs'), cell: (host) => <Versions programs={runningOn(host)} /> },
    {
      title: t('upgrades.act'),
      isActs: true,
      cell: (host) => !['current', 'waiting'].includes(host.upgradeState) && <Upgrade host={host} />,
    },
  ]
  return (
    <Section title={t('upgrades.hosts')}>
      <PagedTable
        call={getHostPrograms}
        body={{}}
        label={t('upgrades.hosts')}
        columns={columns}
        idOf={({ hostUUID }) => hostUUID}
        failed={t('upgrades.failedToRead')}
        empty={<p>{t('upgrades.none')}</p>}
        isNarrow={false}
      />
    </Section>
  )
}

function State({ host: { upgradeState, failedUpgrade } }: { host: Host }) {
  const { t } = useTranslation('admin/upgrades')
  return (
    <span>
      <Mark {...looks[upgradeState]}>{t(`upgrades.states.${upgradeState}`)}</Mark>
      {upgradeState === 'failed' && failedUpgrade && (
        <span className={styles.quiet}>
          <When date={failedUpgrade.failedDate} />
          {failedUpgrade.lastLine && <br />}
          <Latin>{failedUpgrade.lastLine}</Latin>
        </span>
      )}
    </span>
  )
}

interface Versions {
  core: string
  agent: string
  node: string
}

/** Two builds of one version differ in their digests. Isolated, because Persian would move the parenthesis. */
const versionOf = (program: Program, other: Program | undefined) =>
  other && other.version === program.version && other.sha256 !== program.sha256
    ? `\u2066${program.version} (${program.sha256.slice(0, 8)})\u2069`
    : program.version

const wantedBy = ({ wantedPrograms: wanted, installedPrograms: installed }: Host): Versions | null =>
  wanted && {
    core: versionOf(wanted.core, installed?.core),
    agent: versionOf(wanted.agent, installed?.agent),
    node: versionOf(wanted.node, installed?.node),
  }

/** What the agent reports comes first: somebody may have changed the host by hand. */
function runningOn({
  installedPrograms: installed,
  wantedPrograms: wanted,
  ...reported
}: Host): Versions | null {
  if (!installed && !reported.agentVersion && !reported.coreVersion) return null
  const running = (name: 'core' | 'agent', version: string) => {
    const program = installed?.[name]
    if (!program) return version || '–'
    return version && version !== program.version ? version : versionOf(program, wanted?.[name])
  }
  return {
    core: running('core', reported.coreVersion),
    agent: running('agent', reported.agentVersion),
    node: installed ? versionOf(installed.node, wanted?.node) : '–',
  }
}

function Versions({ programs }: { programs: Versions | null }) {
  const { t } = useTranslation('admin/upgrades')
  return programs ? t('upgrades.versions', { ...programs }) : '–'
}

function Upgrade({ host: { hostUUID, hostName: name } }: { host: Host }) {
  const { t } = useTranslation('admin/upgrades')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button aria-label={t('upgrades.actOn', { name })} onClick={() => setOpen(true)}>
        {t('upgrades.act')}
      </Button>
      {isOpen && (
        <UpgradeDialog
          call={upgradeHost}
          body={{ hostUUID }}
          title={t('upgrades.actTitle', { name })}
          confirm={t('upgrades.act')}
          done={t('upgrades.actDone', { name })}
          onClose={() => setOpen(false)}
        >
          <p>{t('upgrades.actText')}</p>
          <p>{t('upgrades.cuts')}</p>
        </UpgradeDialog>
      )}
    </>
  )
}
