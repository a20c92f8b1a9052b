import { type Answer, getUserStatement, getUserStatementFile } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Body } from '../../../calls/api.ts'
import { notifyError } from '../../../calls/explain.ts'
import { formatAmount, formatNumber, formatSigned } from '../../../lib/format.ts'
import { notify } from '../../../lib/notices.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { useAct } from '../../../shared/reads/query.ts'
import { saveFile } from '../../../shared/save-file.ts'
import { When } from '../../../shared/when.tsx'
import { Button } from '../../../ui/button.tsx'
import type { Column } from '../../kit/data-table.tsx'
import { PagedTable } from '../../kit/paged-table.tsx'
import { Section } from '../../kit/section.tsx'
import { adminShapes } from '../../kit/shapes.ts'
import styles from './statement.module.css'

type Entry = Answer<typeof getUserStatement>['items'][number]

interface Props {
  userEmail?: string
  pathOf: (userEmail: string) => string
}

export function Statement({ userEmail, pathOf }: Props) {
  const { t } = useTranslation('admin')
  const [what, ...rest] = useColumns()
  const owner: Column<Entry> = {
    title: t('ledger.owner'),
    isAddress: true,
    cell: (entry) => (
      <Link to={pathOf(entry.userEmail)}>
        <bdi dir="ltr">{entry.userEmail}</bdi>
      </Link>
    ),
  }
  const columns = userEmail === undefined ? [what, owner, ...rest] : [what, ...rest]
  const body = userEmail === undefined ? {} : { userEmail }
  const title = t('person.statement.title')
  return (
    <Section title={title} actions={<DownloadStatement body={body} />}>
      <PagedTable
        call={getUserStatement}
        body={body}
        label={title}
        columns={columns}
        idOf={({ entryId }) => entryId}
        failed={t('person.statement.failed')}
        empty={<p>{t('person.statement.empty')}</p>}
        isNarrow={false}
      />
    </Section>
  )
}

function useColumns(): [Column<Entry>, ...Column<Entry>[]] {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  /** Translates what the server wrote; shows reasons of people as they are. */
  const reasonOf = (entry: Entry) => {
    const { entryDays: days, entryVPNType: vpnType, entryWays: ways } = entry
    const { entryGigabytes: gigabytes, entryDevices: devices } = entry
    if (entry.entryMovement === 'debt') return t('person.statement.onDebt')
    if (days === null || vpnType === null) return entry.entryReason
    const shown = (count: number) => ({ count, shown: formatNumber(count, language) })
    return [
      ...(entry.entryMovement === 'data' ? [] : [t('person.statement.days', { ...shown(days), vpnType })]),
      ...(ways ? [t('person.statement.ways', shown(ways))] : []),
      ...(gigabytes ? [t('person.statement.gigabytes', shown(gigabytes))] : []),
      ...(devices ? [t('person.statement.devices', shown(devices))] : []),
    ].join(' + ')
  }
  return [
    {
      title: t('person.statement.what'),
      isName: true,
      cell: (entry) => (
        <>
          <span>
            {t(`person.statement.movements.${entry.entryMovement}`)} <bdi>{entry.accountName}</bdi>
          </span>
          {entry.entryPlan && (
            <span className={styles.why}>
              {t('person.statement.plan')} <bdi>{entry.entryPlan}</bdi>
            </span>
          )}
          <span className={styles.why}>
            <bdi>{reasonOf(entry)}</bdi>
          </span>
        </>
      ),
    },
    { title: t('person.statement.when'), cell: ({ entryDate }) => <When date={entryDate} /> },
    {
      title: t('person.statement.by'),
      isAddress: true,
      cell: ({ entryByEmail, entryBy }) =>
        entryByEmail ? <bdi dir="ltr">{entryByEmail}</bdi> : t(`person.statement.who.${entryBy}`),
    },
    {
      title: t('person.statement.amount'),
      isNumber: true,
      cell: ({ entryAmount, entryUnit }) => (
        <span>
          <bdi>{formatSigned(entryAmount, entryUnit, language)}</bdi>{' '}
          {t(`person.statement.units.${entryUnit}`)}
        </span>
      ),
    },
    {
      title: t('person.statement.balance'),
      isNumber: true,
      cell: ({ entryBalance, entryUnit }) => <bdi>{formatAmount(entryBalance, entryUnit, language)}</bdi>,
    },
  ]
}

function DownloadStatement({ body }: { body: Body<typeof getUserStatementFile> }) {
  const { t } = useTranslation('admin')
  const file = useAct(getUserStatementFile)
  async function download() {
    try {
      const { fileName, csv, isComplete } = await file.mutateAsync({ body })
      saveFile(fileName, csv, 'text/csv')
      if (!isComplete) notify(t('person.statement.incomplete'), 'warning', false)
    } catch (error) {
      notifyError(t, error)
    }
  }
  return (
    <Button icon={adminShapes.download} isBusy={file.isPending} onClick={() => void download()}>
      {t('person.statement.download')}
    </Button>
  )
}
