import type { HostKind } from '@kelid/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber } from '../../../lib/format.ts'
import { useCounted } from '../../../lib/use-counted.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { When } from '../../../shared/when.tsx'
import { Count } from '../../kit/count.tsx'
import { Section } from '../../kit/section.tsx'
import { TroubleText } from '../../kit/trouble-text.tsx'
import styles from './host-notes.module.css'
import type { LinkToHost } from './links.ts'
import type { Board } from './problems.ts'

interface Props {
  board: Board
  linkToHost: LinkToHost
}

interface Note {
  readonly key: string
  readonly subject: HostKind
  readonly uuid: string
  readonly name: string
  readonly date: string
  readonly text: ReactNode
}

interface NotesProps extends Pick<Props, 'linkToHost'> {
  title: string
  notes: readonly Note[]
  total?: number
  children?: ReactNode
}

function HostNotes({ title, notes, total = notes.length, linkToHost, children }: NotesProps) {
  if (notes.length === 0) return null
  return (
    <Section title={title}>
      {children}
      <Count total={total} listed={notes.length} />
      <ul className={styles.list}>
        {notes.map(({ key, subject, uuid, name, date, text }) => (
          <li key={key}>
            <span className={styles.head}>
              {linkToHost(subject, uuid, <bdi dir="ltr">{name}</bdi>)}
              <When date={date} />
            </span>
            {text}
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** What agents find wrong with their hosts. */
export function Troubles({ board, linkToHost }: Props) {
  const { t } = useTranslation('admin')
  const notes = board.hostTroubles.map(({ sinceDate, ...trouble }) => ({
    ...trouble,
    key: `${trouble.uuid} ${trouble.trouble}`,
    date: sinceDate,
    text: <TroubleText {...trouble} />,
  }))
  return <HostNotes title={t('hostTroubles.title')} notes={notes} linkToHost={linkToHost} />
}

export function Alerts({ board, linkToHost }: Props) {
  const { t } = useTranslation('admin')
  const counted = useCounted()
  const notes = board.hostAlerts.map(({ alert, count, lastDate, ...host }) => ({
    ...host,
    key: `${host.uuid} ${alert}`,
    date: lastDate,
    text: <p>{t(`hostAlerts.${alert}`, counted(count))}</p>,
  }))
  return (
    <HostNotes title={t('hostAlerts.title')} notes={notes} linkToHost={linkToHost}>
      <p>{t('hostAlerts.next')}</p>
    </HostNotes>
  )
}

/** Accounts of hosts that are down, which nobody moves by themselves. */
export function Replaceable({ board, linkToHost }: Props) {
  const { t: tBoard } = useTranslation('admin/dashboard')
  const counted = useCounted()
  const notes = (board.replaceableHosts ?? []).map(({ accounts, sinceDate, ...host }) => ({
    ...host,
    key: host.uuid,
    date: sinceDate,
    text: (
      <p>
        {tBoard('board.replaceableText', counted(accounts))}{' '}
        {linkToHost(host.subject, host.uuid, tBoard('board.replaceNow'), 'replace')}
      </p>
    ),
  }))
  return <HostNotes title={tBoard('board.replaceable')} notes={notes} linkToHost={linkToHost} />
}

export function Replacing({ board, linkToHost }: Props) {
  const { t: tBoard } = useTranslation('admin/dashboard')
  const language = useLanguage()
  const notes = (board.replacements ?? []).map(({ onlyBlocked, sinceDate, moved, left, stuck, ...host }) => ({
    ...host,
    key: `${host.uuid} ${onlyBlocked}`,
    date: sinceDate,
    text: (
      <p>
        {tBoard(onlyBlocked ? 'board.replacedBlocked' : 'board.replaced', {
          moved: formatNumber(moved, language),
          left: formatNumber(left, language),
          stuck: formatNumber(stuck, language),
        })}
      </p>
    ),
  }))
  return <HostNotes title={tBoard('board.replacements')} notes={notes} linkToHost={linkToHost} />
}

/** Hosts that keep accounts which the list omits although nobody deleted them. */
export function Refusing({ board, linkToHost }: Props) {
  const { t: tBoard } = useTranslation('admin/dashboard')
  const notes = board.refusingHosts.map(({ refusedList, sinceDate, ...host }) => ({
    ...host,
    key: host.uuid,
    date: sinceDate,
    text: <p>{tBoard(`board.refused.${refusedList}`)}</p>,
  }))
  return <HostNotes title={tBoard('board.refusing')} notes={notes} linkToHost={linkToHost} />
}

export function Failures({ board, linkToHost }: Props) {
  const { t: tBoard } = useTranslation('admin/dashboard')
  const notes = board.lastFailures
    .filter(({ state, retryDate }) => state === 'failed' || retryDate)
    .map(({ failedDate, retryDate, lastLine, ...host }) => ({
      ...host,
      key: `${host.uuid} ${failedDate}`,
      date: failedDate,
      text: (
        <>
          <code dir="ltr">{lastLine}</code>
          {retryDate && (
            <p>
              <When date={retryDate} sentence={(when) => tBoard('board.retried', { when })} />
            </p>
          )}
        </>
      ),
    }))
  const total = board.servers.failed + board.tunnels.failed + (board.failingRuns ?? 0)
  return <HostNotes title={tBoard('board.failures')} notes={notes} total={total} linkToHost={linkToHost} />
}
