import { getCompensations, type HostKind } from '@kelid/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { formatNumber } from '../../../lib/format.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import type { Pages } from '../../../shared/reads/pages.ts'
import { When } from '../../../shared/when.tsx'
import type { Column } from '../../kit/data-table.tsx'
import { Latin } from '../../kit/latin.tsx'
import { Mark } from '../../kit/mark.tsx'
import { PagedTable } from '../../kit/paged-table.tsx'
import { adminShapes } from '../../kit/shapes.ts'
import { ShareBar } from '../../kit/share-bar.tsx'
import type { Compensation } from './compensation.ts'
import styles from './progress.module.css'

interface Props {
  pathOf: (kind: HostKind, uuid: string) => string
}

export function CompensationList({ pathOf }: Props) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  useProgress()
  const columns: readonly Column<Compensation>[] = [
    {
      title: t('compensations.host'),
      isName: true,
      cell: (one) => (
        <Link to={pathOf(one.compensationSubject, one.compensationSubjectUUID)}>
          <Latin>{one.compensationSubjectName}</Latin>
        </Link>
      ),
    },
    {
      title: t('compensations.days'),
      isNumber: true,
      cell: ({ compensationDays }) => formatNumber(compensationDays, language),
    },
    { title: t('compensations.progress'), cell: (one) => <Progress compensation={one} /> },
    { title: t('compensations.reason'), cell: ({ compensationReason }) => <bdi>{compensationReason}</bdi> },
    {
      title: t('compensations.by'),
      isAddress: true,
      cell: ({ compensationBy }) => <Latin>{compensationBy}</Latin>,
    },
    { title: t('compensations.date'), cell: ({ compensationDate }) => <When date={compensationDate} /> },
  ]
  return (
    <PagedTable
      call={getCompensations}
      body={{}}
      label={t('compensations.list')}
      columns={columns}
      idOf={({ compensationUUID }) => compensationUUID}
      failed={t('compensations.failed')}
      empty={<p>{t('compensations.none')}</p>}
      isNarrow={false}
    />
  )
}

const everyMs = 2_000

function useProgress(): void {
  const client = useQueryClient()
  useEffect(() => {
    const queryKey = [getCompensations.path]
    const isRunning = () =>
      client
        .getQueriesData<Pages<Compensation>>({ queryKey })
        .some(([, list]) =>
          list?.pages.some(({ items }) => items.some((one) => one.compensationState === 'running')),
        )
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible' && isRunning()) void client.invalidateQueries({ queryKey })
    }, everyMs)
    return () => clearInterval(timer)
  }, [client])
}

function Progress({ compensation }: { compensation: Compensation }) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  const { compensationDone: done, compensationAccounts: all, compensationSkipped: skipped } = compensation
  const isFinished = compensation.compensationState === 'finished'
  const number = (value: number) => formatNumber(value, language)
  return (
    <span className={styles.progress}>
      {isFinished ? (
        <Mark is="good" icon={adminShapes.done}>
          {t('compensations.finished', { count: all, shown: number(all - skipped) })}
        </Mark>
      ) : (
        <>
          <span className={styles.bar}>
            <ShareBar share={all > 0 ? done / all : 0} />
          </span>
          <span>{t('compensations.running', { done: number(done), all: number(all) })}</span>
        </>
      )}
      {skipped > 0 && (
        <span className={styles.quiet}>
          {t('compensations.skipped', { count: skipped, shown: number(skipped) })}
        </span>
      )}
    </span>
  )
}
