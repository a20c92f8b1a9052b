import type { Answer, getHostPrograms, HostKind, Program, UpgradeState } from '@kelid/contract'
import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { When } from '../../shared/when.tsx'
import type { Column } from '../kit/data-table.tsx'
import { Latin } from '../kit/latin.tsx'
import { Mark } from '../kit/mark.tsx'
import { adminShapes } from '../kit/shapes.ts'
import styles from './upgrades.module.css'

export type HostPrograms = Answer<typeof getHostPrograms>['items'][number]
export type PathOf = (kind: HostKind, uuid: string) => string

const looks: Record<UpgradeState, Omit<ComponentProps<typeof Mark>, 'children'>> = {
  unknown: { is: 'quiet', icon: adminShapes.clock },
  current: { is: 'good', icon: adminShapes.done },
  outdated: { is: 'quiet', icon: adminShapes.download },
  waiting: { is: 'quiet', icon: adminShapes.renew },
  failed: { is: 'bad', icon: adminShapes.alert },
}

export const needsUpgrade = ({ upgradeState }: HostPrograms): boolean =>
  !['current', 'waiting'].includes(upgradeState)

/** What hosts should run and what they run. */
export function useProgramColumns(pathOf: PathOf): readonly Column<HostPrograms>[] {
  const { t } = useTranslation('admin')
  return [
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
  ]
}

function State({ host: { upgradeState, failedUpgrade } }: { host: HostPrograms }) {
  const { t } = useTranslation('admin')
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

const wantedBy = ({ wantedPrograms: wanted, installedPrograms: installed }: HostPrograms): Versions | null =>
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
}: HostPrograms): Versions | null {
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
  const { t } = useTranslation('admin')
  return programs ? t('upgrades.versions', { ...programs }) : '–'
}
