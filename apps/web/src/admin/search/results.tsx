import type { Finding } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import styles from './finder.module.css'

interface Props {
  items: readonly Finding[]
  pathOf: (finding: Finding) => string
  onChosen: () => void
}

export function Results({ items, pathOf, onChosen }: Props) {
  const { t } = useTranslation('admin')
  if (items.length === 0) return null
  return (
    <ul className={styles.results}>
      {items.map((finding) => (
        <li key={`${finding.kind} ${finding.id}`}>
          <Link to={pathOf(finding)} onClick={onChosen}>
            <span className={styles.kind}>{t(`finder.${finding.kind}`)}</span>{' '}
            <bdi dir="ltr">{finding.title}</bdi>{' '}
            {finding.detail !== '' && (
              <bdi dir="ltr" className={styles.detail}>
                {finding.detail}
              </bdi>
            )}
          </Link>
        </li>
      ))}
    </ul>
  )
}
