import { getActivity, getDashboard, type UserFilter } from '@kelid/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useRead } from '../../shared/reads/query.ts'
import { ReadFailed } from '../../shared/reads/read-failed.tsx'
import { Loading } from '../../ui/loading/loading.tsx'
import { Activity, soldId } from '../dashboard/board/activity.tsx'
import { Broken } from '../dashboard/board/broken.tsx'
import { Business } from '../dashboard/board/business.tsx'
import { Debt } from '../dashboard/board/debt.tsx'
import {
  Alerts,
  Failures,
  Refusing,
  Replaceable,
  Replacing,
  Troubles,
} from '../dashboard/board/host-notes.tsx'
import type { LinkToHost } from '../dashboard/board/links.ts'
import type { BoardList, RoomList } from '../dashboard/board/problems.ts'
import { Strangers } from '../dashboard/board/strangers.tsx'
import { typeInAddress } from '../hosts/host-types.ts'
import type { HostFilter } from '../hosts/list/host-filters.tsx'
import { withFilter } from '../kit/address-filter.ts'
import { Screen } from '../kit/screen.tsx'
import { useLiveReads } from '../kit/use-live-reads.ts'
import { adminPaths, replacePath, serverPath, tunnelPath } from '../paths.ts'

const calls = [getDashboard, getActivity]
/** Silence causes no event, so hosts that are down and late jobs are found by polling. */
const times = { batchMs: 500, pollMs: 30_000 }

const servers = (filter: HostFilter) => withFilter(adminPaths.servers, filter)
const tunnels = (filter: HostFilter) => withFilter(adminPaths.tunnels, filter)
const debt = (filter: UserFilter) => withFilter(adminPaths.debt, { filter })

const lists: Record<Exclude<BoardList, RoomList>, string> = {
  failedServers: servers({ state: 'failed' }),
  failedTunnels: tunnels({ state: 'failed' }),
  downServers: servers({ state: 'ready', health: 'down' }),
  downTunnels: tunnels({ state: 'ready', health: 'down' }),
  silentServers: servers({ state: 'ready', health: 'unknown' }),
  silentTunnels: tunnels({ state: 'ready', health: 'unknown' }),
  readyServers: servers({ state: 'ready' }),
  readyTunnels: tunnels({ state: 'ready' }),
  servers: adminPaths.servers,
  addServer: adminPaths.addServer,
  fullServers: servers({ sort: '-Accounts' }),
  fullTunnels: tunnels({ sort: '-Accounts' }),
  audit: adminPaths.audit,
  ledger: adminPaths.ledger,
  accounts: adminPaths.accounts,
  'accounts-soonest': `${adminPaths.accounts}?state=active&sort=accountExpireDate`,
  people: adminPaths.people,
  'accounts-active': `${adminPaths.accounts}?state=active`,
  'accounts-limited': `${adminPaths.accounts}?state=limited`,
  'accounts-disabled': `${adminPaths.accounts}?state=disabled`,
  'accounts-expired': `${adminPaths.accounts}?state=expired`,
  'accounts-abused': `${adminPaths.accounts}?state=abused`,
  administrators: `${adminPaths.people}?filter=admins`,
  sold: `#${soldId}`,
  credit: adminPaths.credit,
  tunnelCredit: adminPaths.tunnelCredit,
  debt: debt('debtors'),
  'debt-week': debt('debt-week'),
  'debt-month': debt('debt-month'),
  'debt-quarter': debt('debt-quarter'),
  'debt-older': debt('debt-older'),
}
const roomPath = ({ subject, type, tunnelType, room }: RoomList) =>
  (subject === 'server' ? servers : tunnels)({ type: typeInAddress(type, tunnelType), ...(room && { room }) })

/** A plain anchor is enough, because the browser finds a place on the same page. */
const linkTo = (list: BoardList, text: ReactNode) =>
  list === 'sold' ? (
    <a href={lists[list]}>{text}</a>
  ) : (
    <Link to={typeof list === 'string' ? lists[list] : roomPath(list)}>{text}</Link>
  )
const linkToHost: LinkToHost = (kind, uuid, name, opens) => {
  const page = kind === 'server' ? serverPath(uuid) : tunnelPath(uuid)
  return <Link to={opens ? replacePath(kind, uuid) : page}>{name}</Link>
}

export function DashboardScreen() {
  const { t } = useTranslation('admin')
  const { t: tBoard } = useTranslation('admin/dashboard')
  const { data: board, error, isPending, refetch } = useRead(getDashboard, {})
  useLiveReads(calls, ({ type }) => type === 'server' || type === 'tunnel', times)
  return (
    <Screen title={t('menu.dashboard')}>
      {isPending && <Loading mode="skeleton" />}
      {error && (
        <ReadFailed
          error={error}
          notice={tBoard('board.failed')}
          text={board ? t('list.notRefreshed') : tBoard('board.failed')}
          onRetry={() => void refetch()}
        />
      )}
      {board && (
        <>
          <Broken board={board} linkTo={linkTo} linkToHost={linkToHost} />
          <Replaceable board={board} linkToHost={linkToHost} />
          <Replacing board={board} linkToHost={linkToHost} />
          <Troubles board={board} linkToHost={linkToHost} />
          <Alerts board={board} linkToHost={linkToHost} />
          <Strangers board={board} linkTo={linkTo} />
          <Refusing board={board} linkToHost={linkToHost} />
          <Failures board={board} linkToHost={linkToHost} />
          <Business board={board} linkTo={linkTo} />
          <Debt board={board} linkTo={linkTo} />
        </>
      )}
      <Activity linkTo={linkTo} />
    </Screen>
  )
}
