import { useTranslation } from 'react-i18next'
import { lookUp } from '../lib/look-up.ts'
import styles from './screen.module.css'
import { Skeleton } from './skeleton.tsx'

export function Waiting({ title }: { title: string }) {
  const { t } = useTranslation()
  const heading = lookUp(t, title)
  return (
    <div className={styles.screen} role="status" aria-label={t('ui.loading')}>
      {heading && <h1 data-waiting="">{heading}</h1>}
      <Skeleton />
    </div>
  )
}
