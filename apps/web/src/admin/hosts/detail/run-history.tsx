import { getHostRuns, type HostKind, type RunState } from '@kelid/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
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

export function RunHistory({ host: { kind, uuid } }: { host: Host }) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  const [openRun, setOpenRun] = useState<Run>()
  const columns = [
    {
      title: t('runs.state'),
      isName: true,
      cell: ({ runState }: Run) => <Mark {...looks[runState]}>{t(`runs.states.${runState}`)}</Mark>,
    },
    { title: t('runs.purpose'), cell: ({ runPurpose }: Run) => t(`runs.purposes.${runPurpose}`) },
    { title: t('runs.queued'), cell: ({ runQueuedDate }: Run) => <When date={runQueuedDate} /> },
    {
      title: t('runs.finished'),
      cell: ({ runFinishedDate }: Run) => runFinishedDate && <When date={runFinishedDate} />,
    },
    { title: t('runs.by'), isAddress: true, cell: ({ runBy }: Run) => runBy && <Latin>{runBy}</Latin> },
    {
      title: t('runs.lines'),
      isNumber: true,
      cell: ({ runLines }: Run) => formatNumber(runLines, language),
    },
    {
      title: t('runs.log'),
      isActs: true,
      cell: (run: Run) => (
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
  return (
    <Section title={t('runs.title')}>
      <PagedTable
        call={getHostRuns}
        body={{ hostUUID: uuid }}
        label={t('runs.title')}
        columns={columns}
        idOf={({ runUUID }) => runUUID}
        failed={t('runs.failed')}
        empty={<p>{t('runs.none')}</p>}
        isNarrow={false}
      />
      {openRun && <RunLog key={openRun.runUUID} kind={kind} uuid={uuid} run={openRun} />}
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
