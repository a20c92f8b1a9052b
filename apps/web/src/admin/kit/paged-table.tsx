import type { Answer, Call, Listing } from '@kelid/contract'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Body } from '../../calls/api.ts'
import { ReadFailed } from '../../shared/reads/read-failed.tsx'
import { useReadPages } from '../../shared/reads/read-pages.ts'
import { Button } from '../../ui/button.tsx'
import { Loading } from '../../ui/loading/loading.tsx'
import { Count } from './count.tsx'
import { type Column, DataTable } from './data-table.tsx'
import styles from './paged-table.module.css'

type ItemOf<C extends Call> = Answer<C> extends Listing<infer Item> ? Item : never

interface Props<C extends Call> {
  call: C
  body: Body<C>
  label: string
  columns: readonly Column<ItemOf<C>>[]
  idOf: (item: ItemOf<C>) => string
  failed: string
  empty: ReactNode
  /** Changes what an empty result means: nothing matches. */
  isNarrow: boolean
  noneMatch?: string
  onShowAll?: () => void
}

/** More rows at once would make a phone feel slow. */
const pageSize = 40

export function PagedTable<C extends Call>({ call, body, columns, idOf, label, failed, ...rest }: Props<C>) {
  const { t } = useTranslation('admin')
  const list = useReadPages(call, body, { size: pageSize, idOf })
  const { rows, hasMore, showMore } = useRowsToShow(list, JSON.stringify(body))
  const { isNarrow, empty, noneMatch = t('list.noneMatch'), onShowAll } = rest

  if (list.isPending) return <Loading mode="skeleton" />
  if (list.error && !list.hasData)
    return <ReadFailed error={list.error} text={failed} onRetry={list.refetch} />
  if (list.items.length === 0 && !isNarrow && !list.isPlaceholderData) return empty
  return (
    <section className={styles.list} aria-label={label}>
      {list.error && (
        <ReadFailed error={list.error} notice={failed} text={t('list.notRefreshed')} onRetry={list.refetch} />
      )}
      <Count total={list.total} />
      {list.items.length > 0 ? (
        <div aria-busy={list.isPlaceholderData} className={styles.rows}>
          <DataTable label={label} columns={columns} rows={rows} keyOf={idOf} />
        </div>
      ) : (
        <div className={styles.none}>
          <p>{noneMatch}</p>
          {onShowAll && <Button onClick={onShowAll}>{t('list.showAll')}</Button>}
        </div>
      )}
      {list.nextPageError && (
        <ReadFailed
          error={list.nextPageError}
          notice={failed}
          text={t('list.moreFailed')}
          onRetry={list.fetchNextPage}
        />
      )}
      {hasMore && !list.nextPageError && (
        <Button isBusy={list.isFetchingNextPage} onClick={showMore}>
          {t('list.more')}
        </Button>
      )}
    </section>
  )
}

interface LoadedList<Item> {
  items: readonly Item[]
  hasNextPage: boolean
  fetchNextPage: () => void
}

/**
 * Adds a page per press. A new search starts with one page, because rendering hundreds of rows is slow. Returning to
 * the screen restores the count.
 */
function useRowsToShow<Item>(list: LoadedList<Item>, request: string) {
  const [visible, setVisible] = useState({ request, count: Math.max(pageSize, list.items.length) })
  const isNewRequest = visible.request !== request
  if (isNewRequest) setVisible({ request, count: pageSize })
  const count = isNewRequest ? pageSize : visible.count
  return {
    rows: list.items.slice(0, count),
    hasMore: list.items.length > count || list.hasNextPage,
    showMore: () => {
      setVisible({ request, count: count + pageSize })
      if (list.items.length < count + pageSize) list.fetchNextPage()
    },
  }
}
