import { type Answer, getHostRuns, getMachineRuns, type HostKind, type RunState } from '@kelid/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { explain } from '../../../calls/explain.ts'
import { formatMoment, formatNumber } from '../../../lib/format.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { ReadFailed } from '../../../shared/reads/read-failed.tsx'
import { When } from '../../../shared/when.tsx'
import { Button } from '../../../ui/button.tsx'
import { Loading } from '../../../ui/loading/loading.tsx'
import { Appearing } from '../../kit/appearing.tsx'
import { Latin } from '../../kit/latin.tsx'
import { Mark } from '../../kit/mark.tsx'
import { PagedTable } from '../../kit/paged-table.tsx'
import { Section } from '../../kit/section.tsx'
import { adminShapes } from '../../kit/shapes.ts'
import type { Host } from '../host/host.ts'
import type { Run } from '../host/kinds.ts'
import { useHostLog } from '../host/use-host-log.ts'
import { LogBox } from '../log/log-box.tsx'
import styles from './detail.module.css'

const looks = {
  queued: { is: 'quiet', icon: adminShapes.clock },
  running: { is: 'quiet', icon: adminShapes.renew },
  succeeded: { is: 'good', icon: adminShapes.done },
  failed: { is: 'bad', icon: adminShapes.alert },
  superseded: { is: 'quiet', icon: adminShapes.close },
  cancelled: { is: 'quiet', icon: adminShapes.ban },
} as const satisfies Record<RunState, object>

function useRunColumns<R extends Run>(openRun: R | undefined, setOpenRun: (run: R | undefined) => void) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  return [
    {
      title: t('runs.state'),
      isName: true,
      cell: ({ runState }: R) => <Mark {...looks[runState]}>{t(`runs.states.${runState}`)}</Mark>,
    },
    { title: t('runs.purpose'), cell: ({ runPurpose }: R) => t(`runs.purposes.${runPurpose}`) },
    { title: t('runs.queued'), cell: ({ runQueuedDate }: R) => <When date={runQueuedDate} /> },
    {
      title: t('runs.finished'),
      cell: ({ runFinishedDate }: R) => runFinishedDate && <When date={runFinishedDate} />,
    },
    { title: t('runs.by'), isAddress: true, cell: ({ runBy }: R) => runBy && <Latin>{runBy}</Latin> },
    {
      title: t('runs.lines'),
      isNumber: true,
      cell: ({ runLines }: R) => formatNumber(runLines, language),
    },
    {
      title: t('runs.log'),
      isActs: true,
      cell: (run: R) => (
        <Button
          aria-expanded={run.runUUID === openRun?.runUUID}
          aria-label={t('runs.showLog', { date: formatMoment(run.runQueuedDate, language) })}
          onClick={() => setOpenRun(run.runUUID === openRun?.runUUID ? undefined : run)}
        >
          {t('runs.log')}
        </Button>
      ),
    },
  ]
}

export function RunHistory({ host: { kind, uuid } }: { host: Host }) {
  const { t } = useTranslation('admin')
  const [openRun, setOpenRun] = useState<Run>()
  return (
    <Section title={t('runs.title')}>
      <PagedTable
        call={getHostRuns}
        body={{ hostUUID: uuid }}
        label={t('runs.title')}
        columns={useRunColumns(openRun, setOpenRun)}
        idOf={({ runUUID }) => runUUID}
        failed={t('runs.failed')}
        empty={<p>{t('runs.none')}</p>}
        isNarrow={false}
      />
      {openRun && <RunLog key={openRun.runUUID} kind={kind} uuid={uuid} run={openRun} />}
    </Section>
  )
}

type MachineRun = Answer<typeof getMachineRuns>['items'][number]

/** Of all services, which take turns. */
export function MachineRuns({
  machineIPV4,
  pathOf,
}: {
  machineIPV4: string
  pathOf: (kind: HostKind, uuid: string) => string
}) {
  const { t } = useTranslation('admin')
  const [openRun, setOpenRun] = useState<MachineRun>()
  const columns = [
    {
      title: t('machines.service'),
      cell: ({ hostKind, hostUUID, hostName }: MachineRun) =>
        hostName && (
          <Link to={pathOf(hostKind, hostUUID)}>
            <Latin>{hostName}</Latin>
          </Link>
        ),
    },
    ...useRunColumns(openRun, setOpenRun).map((column) =>
      // The log of a removed host is gone with it.
      column.isActs ? { ...column, cell: (run: MachineRun) => run.hostName && column.cell(run) } : column,
    ),
  ]
  return (
    <Section title={t('runs.title')}>
      <PagedTable
        call={getMachineRuns}
        body={{ machineIPV4 }}
        label={t('runs.title')}
        columns={columns}
        idOf={({ runUUID }) => runUUID}
        failed={t('runs.failed')}
        empty={<p>{t('runs.none')}</p>}
        isNarrow={false}
      />
      {openRun && (
        <RunLog key={openRun.runUUID} kind={openRun.hostKind} uuid={openRun.hostUUID} run={openRun} />
      )}
    </Section>
  )
}

interface Props {
  kind: HostKind
  uuid: string
  run: Run
}

function RunLog({ kind, uuid, run: { runUUID, runQueuedDate } }: Props) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  const log = useHostLog(kind, uuid, runUUID)
  return (
    <Appearing>
      <h3 className={styles.logOf}>{t('runs.logOf', { date: formatMoment(runQueuedDate, language) })}</h3>
      {log.isPending && <Loading size="small" />}
      {log.error && <ReadFailed error={log.error} text={explain(t, log.error).text} onRetry={log.refetch} />}
      {log.data && (
        <LogBox
          kind={kind}
          uuid={uuid}
          runUUID={runUUID}
          text={log.data.ansibleLog}
          readAt={log.readAt}
          onStale={log.refetch}
        />
      )}
    </Appearing>
  )
}
