import { getDashboard, type HostKind } from '@kelid/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useRead } from '../../shared/reads/query.ts'
import { ReadFailed } from '../../shared/reads/read-failed.tsx'
import { useReadNotice } from '../../shared/reads/use-read-notice.ts'
import { Loading } from '../../ui/loading/loading.tsx'
import { Activity } from '../dashboard/board/activity.tsx'
import { Broken } from '../dashboard/board/broken.tsx'
import { Business } from '../dashboard/board/business.tsx'
import { Debt } from '../dashboard/board/debt.tsx'
import { Failures } from '../dashboard/board/failures.tsx'
import type { BoardList } from '../dashboard/board/problems.ts'
import { Refusing } from '../dashboard/board/refusing.tsx'
import { Strangers } from '../dashboard/board/strangers.tsx'
import { useLiveBoard } from '../dashboard/board/use-live-board.ts'
import { Screen } from '../kit/screen.tsx'
import { adminPaths, serverPath, tunnelPath } from '../paths.ts'

const lists: Record<BoardList, string> = {
  failedServers: `${adminPaths.servers}?state=failed`,
  failedTunnels: `${adminPaths.tunnels}?state=failed`,
  servers: adminPaths.servers,
  tunnels: adminPaths.tunnels,
  fullServers: `${adminPaths.servers}?sort=-serverAccounts`,
  fullTunnels: `${adminPaths.tunnels}?sort=-tunnelAccounts`,
  audit: adminPaths.audit,
  people: adminPaths.people,
  'accounts-active': `${adminPaths.accounts}?state=active`,
  'accounts-disabled': `${adminPaths.accounts}?state=disabled`,
  'accounts-expired': `${adminPaths.accounts}?state=expired`,
  'accounts-abused': `${adminPaths.accounts}?state=abused`,
  administrators: `${adminPaths.people}?filter=admins`,
  credit: adminPaths.credit,
  tunnelCredit: adminPaths.tunnelCredit,
  debt: `${adminPaths.debt}?filter=debtors`,
  oldDebt: `${adminPaths.debt}?filter=debtors&sort=userDebtSince`,
}
const linkTo = (list: BoardList, text: ReactNode) => <Link to={lists[list]}>{text}</Link>
const linkToHost = (kind: HostKind, uuid: string, name: ReactNode) => (
  <Link to={kind === 'server' ? serverPath(uuid) : tunnelPath(uuid)}>{name}</Link>
)

/** What an administrator wants to know in ten seconds: what is broken, then how the business goes. */
export function DashboardScreen() {
  const { t } = useTranslation('admin')
  const { data: board, error, isPending, refetch } = useRead(getDashboard, {})
  // It is read again by itself every half minute: what is there already need not be told about each time.
  useReadNotice(board ? null : error, t('board.failed'))
  useLiveBoard()
  return (
    <Screen title={t('menu.dashboard')}>
      {isPending && <Loading mode="skeleton" />}
      {error && (
        <ReadFailed text={t(board ? 'list.notRefreshed' : 'board.failed')} onRetry={() => void refetch()} />
      )}
      {board && (
        <>
          <Broken board={board} linkTo={linkTo} />
          <Strangers board={board} linkTo={linkTo} />
          <Refusing board={board} linkToHost={linkToHost} />
          <Failures board={board} linkToHost={linkToHost} />
          <Business board={board} linkTo={linkTo} />
          <Debt board={board} linkTo={linkTo} />
        </>
      )}
      <Activity />
    </Screen>
  )
}
