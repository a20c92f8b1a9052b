import { getStatement, getStatementFile } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { notifyError } from '../../../calls/explain.ts'
import { notify } from '../../../lib/notices.ts'
import { useCounted } from '../../../lib/use-counted.ts'
import { useAct } from '../../../shared/reads/query.ts'
import { ReadFailed } from '../../../shared/reads/read-failed.tsx'
import { useReadPages } from '../../../shared/reads/read-pages.ts'
import { useReadNotice } from '../../../shared/reads/use-read-notice.ts'
import { saveFile } from '../../../shared/save-file.ts'
import { shapes } from '../../../shared/shapes.ts'
import { Button } from '../../../ui/button.tsx'
import { Loading } from '../../../ui/loading/loading.tsx'
import { Entries, type Entry } from './entries.tsx'
import styles from './statement.module.css'

export const entriesAtOnce = 50
const pageOptions = { size: entriesAtOnce, idOf: ({ entryId }: Entry) => entryId }

export function Statement({ title }: { title: string }) {
  const { t } = useTranslation('reseller/credit')
  const counted = useCounted()
  const pages = useReadPages(getStatement, {}, pageOptions)
  const entries = pages.items
  useReadNotice(pages.error ?? pages.nextPageError, t('statement.failed'))
  if (pages.isPending) return <Loading mode="skeleton" size="large" />
  if (pages.error && entries.length === 0)
    return <ReadFailed error={pages.error} text={t('statement.failed')} onRetry={pages.refetch} />
  if (entries.length === 0) return <p>{t('statement.empty')}</p>
  return (
    <section className={styles.statement} aria-label={title}>
      <div className={styles.head}>
        <p className={styles.count} aria-live="polite">
          {t('statement.count', counted(pages.total))}
        </p>
        <DownloadStatement />
      </div>
      <Entries entries={entries} title={title} />
      {pages.nextPageError && (
        <ReadFailed error={pages.nextPageError} text={t('statement.failed')} onRetry={pages.fetchNextPage} />
      )}
      {pages.hasNextPage && !pages.nextPageError && (
        <div className={styles.more}>
          <Button isBusy={pages.isFetchingNextPage} onClick={pages.fetchNextPage}>
            {t('statement.more')}
          </Button>
        </div>
      )}
    </section>
  )
}

function DownloadStatement() {
  const { t } = useTranslation('reseller/credit')
  const file = useAct(getStatementFile)
  const download = () =>
    file.mutate(
      { body: {} },
      {
        onSuccess: ({ fileName, csv, isComplete }) => {
          saveFile(fileName, csv, 'text/csv')
          if (!isComplete) notify(t('statement.incomplete'), 'warning', false)
        },
        onError: (error) => notifyError(t, error),
      },
    )
  return (
    <Button icon={shapes.download} isBusy={file.isPending} onClick={download}>
      {t('statement.download')}
    </Button>
  )
}
