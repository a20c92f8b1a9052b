import type { HostKind } from '@kelid/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { When } from '../../../shared/when.tsx'
import { Count } from '../../kit/count.tsx'
import { Section } from '../../kit/section.tsx'
import styles from './failures.module.css'
import type { Board } from './problems.ts'

interface Props {
  board: Board
  linkToHost: (kind: HostKind, uuid: string, name: ReactNode) => ReactNode
}

/** Hosts that keep accounts which the list omits although nobody deleted them. */
export function Refusing({ board, linkToHost }: Props) {
  const { t } = useTranslation('admin')
  if (board.refusingHosts.length === 0) return null
  return (
    <Section title={t('board.refusing')}>
      <Count total={board.refusingHosts.length} />
      <ul className={styles.list}>
        {board.refusingHosts.map(({ subject, uuid, name, refusedList, sinceDate }) => (
          <li key={uuid}>
            <span className={styles.head}>
              {linkToHost(subject, uuid, <bdi dir="ltr">{name}</bdi>)}
              <When date={sinceDate} />
            </span>
            <p>{t(`board.refused.${refusedList}`)}</p>
          </li>
        ))}
      </ul>
    </Section>
  )
}
