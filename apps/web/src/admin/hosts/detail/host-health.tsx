import { type Answer, getHostHealth } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '../../../lib/use-language.ts'
import { Warning } from '../../../shared/dialogs/warning.tsx'
import { useRead } from '../../../shared/reads/query.ts'
import { ReadState } from '../../../shared/reads/read-state.tsx'
import { useReadNotice } from '../../../shared/reads/use-read-notice.ts'
import { When } from '../../../shared/when.tsx'
import { Count } from '../../kit/count.tsx'
import { DataTable } from '../../kit/data-table.tsx'
import { Facts } from '../../kit/facts.tsx'
import { Latin } from '../../kit/latin.tsx'
import { Section } from '../../kit/section.tsx'
import type { Host } from '../host/host.ts'
import { HealthMark } from '../host/marks.tsx'
import { formatDuration } from './duration.ts'

export function HostHealth({ host }: { host: Host }) {
  const { kind, uuid } = host
  const { t } = useTranslation('admin')
  const health = useRead(getHostHealth, { hostUUID: uuid })
  useReadNotice(health.error, t('health.failed'))
  return (
    <Section title={t('hosts.health')}>
      {health.data ? (
        <>
          <Findings health={health.data} isServer={kind === 'server'} />
          {health.data.upkeep && <FailedRun run={health.data.upkeep} />}
          <Ways ways={health.data.ways ?? []} host={host} />
          <HealthHistory {...health.data} />
        </>
      ) : (
        <ReadState read={health} failed={t('health.failed')} />
      )}
    </Section>
  )
}

function Findings({ health, isServer }: { health: Answer<typeof getHostHealth>; isServer: boolean }) {
  const { t } = useTranslation('admin')
  const { reason, probeOutcome, probeDetail, probeDate, certificateIssuer, certificateUntilDate } = health
  const certificate = certificateIssuer ? (
    <Latin key="signed">{certificateIssuer}</Latin>
  ) : (
    t('health.noCertificate')
  )
  return (
    <Facts
      facts={[
        [t('hosts.health'), <HealthMark key="health" health={health.health} />],
        // The probe's own line already gives this reason.
        [t('health.because'), reason === probeOutcome ? null : t(`health.reasons.${reason}`)],
        [t('health.probe'), t(`health.outcomes.${probeOutcome ?? 'NEVER_TRIED'}`)],
        [t('health.said'), probeDetail && <Latin key="said">{probeDetail}</Latin>],
        [t('health.probed'), probeDate && <When key="probed" date={probeDate} />],
        [t('health.certificate'), isServer ? certificate : null],
        [
          t('health.until'),
          isServer && certificateUntilDate ? <When key="until" date={certificateUntilDate} /> : null,
        ],
      ]}
    />
  )
}

type Health = Answer<typeof getHostHealth>

function FailedRun({ run: { failedDate, retryDate, lastLine } }: { run: NonNullable<Health['upkeep']> }) {
  const { t } = useTranslation('admin')
  return (
    <Warning>
      <When date={failedDate} sentence={(when) => t('health.runFailed', { when })} />{' '}
      <When date={retryDate} sentence={(when) => t('health.runAgain', { when })} />
      {lastLine && <br />}
      {lastLine && <Latin>{lastLine}</Latin>}
    </Warning>
  )
}

type Way = NonNullable<Health['ways']>[number]

function Ways({ ways, host: { kind, uuid } }: { ways: readonly Way[]; host: Host }) {
  const { t } = useTranslation('admin')
  if (ways.length === 0) return null
  const columns = [
    {
      title: t(kind === 'server' ? 'health.entry' : 'health.toServer'),
      isName: true,
      cell: ({ hostUUID, hostName }: Way) =>
        hostUUID === uuid ? t('health.directly') : <Latin>{hostName}</Latin>,
    },
    { title: t('health.sold'), cell: ({ isSold }: Way) => t(isSold ? 'health.isSold' : 'health.isNotSold') },
    {
      title: t('health.probe'),
      cell: ({ outcome, detail }: Way) => (
        <span>
          {t(`health.outcomes.${outcome ?? 'NEVER_TRIED'}`)} {detail && <Latin>{detail}</Latin>}
        </span>
      ),
    },
    { title: t('health.probed'), cell: ({ probeDate }: Way) => probeDate && <When date={probeDate} /> },
  ]
  return (
    <DataTable label={t('health.ways')} columns={columns} rows={ways} keyOf={({ hostUUID }) => hostUUID} />
  )
}
type Change = Health['changes'][number]

const lengthOf = ({ sinceDate, untilDate }: Change) =>
  (untilDate ? Date.parse(untilDate) : Date.now()) - Date.parse(sinceDate)

function HealthHistory({ changes, changeCount }: Pick<Health, 'changes' | 'changeCount'>) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  if (changes.length === 0) return <p>{t('health.none')}</p>
  const columns = [
    {
      title: t('hosts.health'),
      isName: true,
      cell: ({ health }: Change) => <HealthMark health={health} />,
    },
    { title: t('health.since'), cell: ({ sinceDate }: Change) => <When date={sinceDate} /> },
    {
      title: t('health.lasted'),
      cell: (change: Change) => {
        const length = formatDuration(lengthOf(change), language)
        return change.untilDate ? length : t('health.soFar', { length })
      },
    },
    {
      title: t('health.because'),
      cell: ({ reason, detail }: Change) => (
        <span>
          {t(`health.reasons.${reason}`)} {detail && <Latin>{detail}</Latin>}
        </span>
      ),
    },
  ]
  return (
    <>
      <Count total={changeCount} listed={changes.length} />
      <DataTable
        label={t('health.history')}
        columns={columns}
        rows={changes}
        keyOf={({ sinceDate }) => sinceDate}
      />
    </>
  )
}
