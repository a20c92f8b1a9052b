import type { HostKind } from '@kelid/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { When } from '../../../shared/when.tsx'
import { Count } from '../../kit/count.tsx'
import { Section } from '../../kit/section.tsx'
import styles from './failures.module.css'
import type { Board } from './problems.ts'

interface Props {
  board: Board
  linkToHost: (kind: HostKind, uuid: string, name: ReactNode) => ReactNode
}

export function Alerts({ board, linkToHost }: Props) {
  const { t } = useTranslation('admin')
  const language = useLanguage()
  if (board.hostAlerts.length === 0) return null
  return (
    <Section title={t('hostAlerts.title')}>
      <p>{t('hostAlerts.next')}</p>
      <Count total={board.hostAlerts.length} />
      <ul className={styles.list}>
        {board.hostAlerts.map(({ subject, uuid, name, alert, count, lastDate }) => (
          <li key={`${uuid} ${alert}`}>
            <span className={styles.head}>
              {linkToHost(subject, uuid, <bdi dir="ltr">{name}</bdi>)}
              <When date={lastDate} />
            </span>
            <p>{t(`hostAlerts.${alert}`, { count, shown: formatNumber(count, language) })}</p>
          </li>
        ))}
      </ul>
    </Section>
  )
}
