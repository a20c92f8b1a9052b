import type { RunState } from '@kelid/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatMoment, formatNumber } from '../../../lib/format.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { ReadFailed } from '../../../shared/reads/read-failed.tsx'
import { When } from '../../../shared/when.tsx'
import { Button } from '../../../ui/button.tsx'
import { Loading } from '../../../ui/loading/loading.tsx'
import { DataTable } from '../../kit/data-table.tsx'
import { Latin } from '../../kit/latin.tsx'
import { Mark } from '../../kit/mark.tsx'
import { Section } from '../../kit/section.tsx'
import { adminShapes } from '../../kit/shapes.ts'
import type { Host } from '../host/host.ts'
import { kinds, type Run } from '../host/kinds.ts'
import { useAsk } from '../host/question.ts'
import { RunLog } from './run-log.tsx'

const looks = {
  queued: { is: 'quiet', icon: adminShapes.clock },
  running: { is: 'quiet', icon: adminShapes.renew },
  succeeded: { is: 'good', icon: adminShapes.done },
  failed: { is: 'bad', icon: adminShapes.alert },
  superseded: { is: 'quiet', icon: adminShapes.close },
  cancelled: { is: 'quiet', icon: adminShapes.ban },
} as const satisfies Record<RunState, object>

/** The latest runs, newest first; the log of each is shown below at a press. */
export function RunHistory({ host: { kind, uuid } }: { host: Host }) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  const runs = useAsk(kinds[kind].runs, { uuid })
  const [shown, setShown] = useState<string>()
  const chosen = runs.data?.find(({ runUUID }) => runUUID === shown)
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
      cell: ({ runUUID, runQueuedDate }: Run) => (
        <Button
          aria-expanded={runUUID === shown}
          aria-label={t('runs.showLog', { date: formatMoment(runQueuedDate, language) })}
          onClick={() => setShown(runUUID === shown ? undefined : runUUID)}
        >
          {t('runs.log')}
        </Button>
      ),
    },
  ]
  return (
    <Section title={t('runs.title')}>
      {runs.isPending && <Loading mode="skeleton" />}
      {runs.error && <ReadFailed error={runs.error} text={t('runs.failed')} onRetry={runs.refetch} />}
      {runs.data?.length === 0 && <p>{t('runs.none')}</p>}
      {runs.data && runs.data.length > 0 && (
        <DataTable
          label={t('runs.title')}
          columns={columns}
          rows={runs.data}
          keyOf={({ runUUID }) => runUUID}
        />
      )}
      {chosen && <RunLog key={chosen.runUUID} kind={kind} uuid={uuid} run={chosen} />}
    </Section>
  )
}
