import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { Mark } from '../../kit/mark.tsx'
import { adminShapes } from '../../kit/shapes.ts'
import { ShareBar } from '../../kit/share-bar.tsx'
import type { Compensation } from './compensation.ts'
import styles from './progress.module.css'

export function Progress({ compensation }: { compensation: Compensation }) {
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
