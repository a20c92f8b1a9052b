import { providerGigabyte } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { formatDate, formatNumber, formatPercent } from '../../../lib/format.ts'
import { lookUp } from '../../../lib/look-up.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { When } from '../../../shared/when.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { Count } from '../../kit/count.tsx'
import { useEnds } from '../../kit/ends.tsx'
import { Latin } from '../../kit/latin.tsx'
import { Section } from '../../kit/section.tsx'
import { adminShapes } from '../../kit/shapes.ts'
import styles from './broken.module.css'
import type { LinkTo, LinkToHost } from './links.ts'
import { type Board, type BoardList, type Problem, problemsOf, type Room } from './problems.ts'

interface Props {
  board: Board
  linkTo: LinkTo
  linkToHost: LinkToHost
}

export function Broken({ board, linkTo, linkToHost }: Props) {
  const { t: tBoard } = useTranslation('admin/dashboard')
  const problems = problemsOf(board)
  const targets = board.targetTroubles ?? []
  const quotas = board.tightQuotas ?? []
  const total =
    problems.length + targets.length + quotas.length + board.lateJobs.length + board.endingServers.length
  if (total === 0)
    return (
      board.hostAlerts.length === 0 &&
      board.hostTroubles.length === 0 &&
      board.refusingHosts.length === 0 &&
      !board.replacements?.length &&
      !board.replaceableHosts?.length &&
      board.strangeAuthorities.length === 0 && <Fine board={board} linkTo={linkTo} />
    )
  return (
    <Section title={tBoard('board.broken')}>
      <Count total={total} />
      <ul className={styles.list}>
        {problems.map((problem) => (
          <Line
            key={`${problem.name} ${problem.room?.type} ${problem.room?.tunnelType}`}
            problem={problem}
            linkTo={linkTo}
          />
        ))}
        {targets.map((server) => (
          <TargetTrouble key={`target ${server.uuid}`} server={server} linkToHost={linkToHost} />
        ))}
        {quotas.map((host) => (
          <TightQuota key={`quota ${host.uuid}`} host={host} linkToHost={linkToHost} />
        ))}
        {board.endingServers.map((server) => (
          <EndingServer key={server.uuid} server={server} linkToHost={linkToHost} />
        ))}
        {board.lateJobs.map(({ name, lastSuccessDate }) => (
          <li key={name} className={styles.broken}>
            <Icon shape={adminShapes.clock} />
            <Late name={name} date={lastSuccessDate} linkTo={linkTo} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Line({ problem, linkTo }: { problem: Problem; linkTo: LinkTo }) {
  const { t: tBoard } = useTranslation('admin/dashboard')
  const language = useLanguage()
  const roomOf = useRoomName()
  const { name, count, room, list, isBroken } = problem
  const type = room ? roomOf(room) : ''
  const text = tBoard(`board.${name}`, { count, shown: formatNumber(count, language), type })
  return (
    <li className={isBroken ? styles.broken : styles.watch}>
      <Icon shape={isBroken ? adminShapes.alert : adminShapes.eye} />
      <span>{list ? linkTo(list, text) : text}</span>
    </li>
  )
}

interface EndingProps extends Pick<Props, 'linkToHost'> {
  server: Board['endingServers'][number]
}

function EndingServer({ server: { uuid, name, expireDate }, linkToHost }: EndingProps) {
  const { t: tBoard } = useTranslation('admin/dashboard')
  const { isOverdue, text } = useEnds()(expireDate)
  return (
    <li className={isOverdue ? styles.broken : styles.watch}>
      <Icon shape={adminShapes.clock} />
      <span>
        {linkToHost('server', uuid, tBoard('board.ending', { name: `\u2068${name}\u2069` }))} · {text}
      </span>
    </li>
  )
}

interface QuotaProps extends Pick<Props, 'linkToHost'> {
  host: NonNullable<Board['tightQuotas']>[number]
}

function TightQuota({ host, linkToHost }: QuotaProps) {
  const { t: tBoard } = useTranslation('admin/dashboard')
  const language = useLanguage()
  const { subject, uuid, name, quotaState, quota, quotaUsed, quotaEndDate } = host
  const isExhausted = quotaState === 'exhausted'
  const share = Math.floor((quotaUsed / (quota * providerGigabyte)) * 100) / 100
  const values = {
    share: `\u2068${formatPercent(share, language)}\u2069`,
    date: formatDate(quotaEndDate.slice(0, 10), language),
  }
  return (
    <li className={isExhausted ? styles.broken : styles.watch}>
      <Icon shape={isExhausted ? adminShapes.alert : adminShapes.eye} />
      <span>
        {linkToHost(subject, uuid, tBoard('board.quota', { name: `\u2068${name}\u2069` }))} ·{' '}
        {tBoard(isExhausted ? 'board.quotaExhausted' : 'board.quotaLow', values)}
      </span>
    </li>
  )
}

interface TroubleProps extends Pick<Props, 'linkToHost'> {
  server: NonNullable<Board['targetTroubles']>[number]
}

function TargetTrouble({ server: { uuid, name, target, targetProblems }, linkToHost }: TroubleProps) {
  const { t } = useTranslation('admin')
  const { t: tBoard } = useTranslation('admin/dashboard')
  return (
    <li className={styles.watch}>
      <Icon shape={adminShapes.eye} />
      <span>
        {linkToHost('server', uuid, tBoard('board.target', { name: `\u2068${name}\u2069` }))} ·{' '}
        <Latin>{target}</Latin> ·{' '}
        {targetProblems.map((problem) => t(`servers.realityCheck.${problem}`)).join(' ')}
      </span>
    </li>
  )
}

/** Type names are left-to-right in every language. */
function useRoomName(): (room: Room) => string {
  const { t: tBoard } = useTranslation('admin/dashboard')
  return ({ subject, type, tunnelType }) => {
    if (subject === 'tunnel') return tBoard('board.tunnelsOf', { type })
    return tunnelType
      ? tBoard('board.serversBehind', { type, tunnelType })
      : tBoard('board.serversOf', { type })
  }
}

const listOfJob: Readonly<Record<string, BoardList>> = {
  expiry: 'accounts-expired',
  probe: 'servers',
  ledger: 'ledger',
  runs: 'servers',
  audit: 'audit',
}

function Late({ name, date, linkTo }: { name: string; date: string | null; linkTo: LinkTo }) {
  const { t } = useTranslation('admin')
  const { t: tBoard } = useTranslation('admin/dashboard')
  const job = lookUp(t, `board.jobs.${name}`) || name
  const list = listOfJob[name]
  return (
    <span>
      {date === null ? (
        tBoard('board.lateNever', { job })
      ) : (
        <When date={date} sentence={(when) => tBoard('board.late', { job, when })} />
      )}
      {list && ' · '}
      {list && linkTo(list, tBoard('board.toList'))}
    </span>
  )
}

function Fine({ board, linkTo }: { board: Board; linkTo: LinkTo }) {
  const { t } = useTranslation('admin')
  const { t: tBoard } = useTranslation('admin/dashboard')
  const language = useLanguage()
  const counted = (key: 'board.fineServers' | 'board.fineTunnels', count: number) =>
    tBoard(key, { count, shown: formatNumber(count, language) })
  const isEmpty = Object.values(board.servers).every((count) => count === 0)
  const isChecked = board.ledgerIsSound && board.auditIsSound
  return (
    <section className={styles.fine} aria-label={tBoard('board.broken')}>
      <Icon shape={isEmpty ? adminShapes.server : adminShapes.done} size={24} />
      <div>
        <p className={styles.calm}>{tBoard(isEmpty ? 'board.noServers' : 'board.fine')}</p>
        <p className={styles.quiet}>
          {isEmpty
            ? linkTo('addServer', t('servers.add'))
            : linkTo('readyServers', counted('board.fineServers', board.servers.ready))}
          {!isEmpty && ' · '}
          {!isEmpty && linkTo('readyTunnels', counted('board.fineTunnels', board.tunnels.ready))}
        </p>
        <p className={styles.quiet}>
          <span>{tBoard(isChecked ? 'board.checked' : 'board.notChecked')}</span>{' '}
          {linkTo('ledger', t('ledger.title'))}
          {' · '}
          {linkTo('audit', t('menu.audit'))}
        </p>
      </div>
    </section>
  )
}
