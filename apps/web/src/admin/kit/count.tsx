import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../lib/format.ts'
import { useLanguage } from '../../lib/use-language.ts'
import styles from './count.module.css'

interface Props {
  total: number
  listed?: number
}

export function Count({ total, listed = total }: Props) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  const number = (value: number) => formatNumber(value, language)
  return (
    <p className={styles.count} aria-live="polite">
      {t('list.count', { count: total, shown: number(total) })}
      {listed < total && ` · ${t('list.latest', { count: listed, shown: number(listed) })}`}
    </p>
  )
}
