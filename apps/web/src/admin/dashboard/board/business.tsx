import { accountStates } from '@kelid/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatNumber, formatPercent } from '../../../lib/format.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { Section } from '../../kit/section.tsx'
import styles from './business.module.css'
import type { LinkTo } from './links.ts'
import type { Board } from './problems.ts'

export function Business({ board, linkTo }: { board: Board; linkTo: LinkTo }) {
  const { t } = useTranslation('admin')
  const { t: tBoard } = useTranslation('admin/dashboard')
  const language = useLanguage()
  const number = (value: number) => formatNumber(value, language)
  const places = (used: number, capacity: number) => (
    <Load
      used={used}
      capacity={capacity}
      text={tBoard('board.of', { taken: number(used), places: number(capacity) })}
    />
  )
  return (
    <Section title={tBoard('board.business')}>
      <dl className={styles.figures}>
        <Figure
          title={tBoard('board.users')}
          note={linkTo(
            'administrators',
            tBoard('board.administrators', {
              count: board.administrators,
              shown: number(board.administrators),
            }),
          )}
        >
          {linkTo('people', number(board.users))}
        </Figure>
        {accountStates.map((state) => (
          <Figure key={state} title={`${tBoard('board.accounts')}: ${t(`adminAccounts.states.${state}`)}`}>
            {linkTo(`accounts-${state}`, number(board.accounts[state]))}
          </Figure>
        ))}
        <Figure title={tBoard('board.sold')}>{linkTo('sold', number(board.pointsSold))}</Figure>
        <Figure title={tBoard('board.credit')}>{linkTo('credit', number(board.totalCredit))}</Figure>
        <Figure title={tBoard('board.tunnelCredit')}>
          {linkTo('tunnelCredit', number(board.totalTunnelCredit))}
        </Figure>
        <Figure title={tBoard('board.serverLoad')} note={places(board.serverAccounts, board.serverCapacity)}>
          {linkTo('fullServers', share(board.serverAccounts, board.serverCapacity, language))}
        </Figure>
        <Figure title={tBoard('board.tunnelLoad')} note={places(board.tunnelAccounts, board.tunnelCapacity)}>
          {linkTo('fullTunnels', share(board.tunnelAccounts, board.tunnelCapacity, language))}
        </Figure>
      </dl>
    </Section>
  )
}

const share = (used: number, capacity: number, language: Parameters<typeof formatPercent>[1]): string =>
  formatPercent(capacity === 0 ? 0 : used / capacity, language)

const Figure = ({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }) => (
  <div className={styles.figure}>
    <dt>{title}</dt>
    <dd>{children}</dd>
    {note && <dd className={styles.note}>{note}</dd>}
  </div>
)

const Load = ({ used, capacity, text }: { used: number; capacity: number; text: string }) => (
  <>
    <meter className={styles.load} min={0} max={Math.max(capacity, 1)} value={used} aria-label={text} />
    {text}
  </>
)
