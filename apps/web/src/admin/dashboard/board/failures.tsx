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

export function Failures({ board, linkToHost }: Props) {
  const { t } = useTranslation('admin')
  const open = board.lastFailures.filter(({ state }) => state === 'failed')
  if (open.length === 0) return null
  return (
    <Section title={t('board.failures')}>
      <Count total={board.servers.failed + board.tunnels.failed} listed={open.length} />
      <ul className={styles.list}>
        {open.map(({ subject, uuid, name, failedDate, lastLine }) => (
          <li key={`${uuid} ${failedDate}`}>
            <span className={styles.head}>
              {linkToHost(subject, uuid, <bdi dir="ltr">{name}</bdi>)}
              <When date={failedDate} />
            </span>
            <code dir="ltr">{lastLine}</code>
          </li>
        ))}
      </ul>
    </Section>
  )
}
