import type { AccountState, Answer, DebtAge, getDashboard, HostRoom } from '@kelid/contract'

export type Board = Answer<typeof getDashboard>
export type Room = Board['rooms'][number]

export type BoardList =
  | 'failedServers'
  | 'failedTunnels'
  | 'downServers'
  | 'downTunnels'
  | 'silentServers'
  | 'silentTunnels'
  | 'readyServers'
  | 'readyTunnels'
  | 'servers'
  | 'addServer'
  | 'fullServers'
  | 'fullTunnels'
  | 'audit'
  | 'ledger'
  | 'accounts'
  | 'accounts-soonest'
  | 'people'
  | `accounts-${AccountState}`
  | 'administrators'
  | 'sold'
  | 'credit'
  | 'tunnelCredit'
  | 'debt'
  | `debt-${DebtAge}`
  | RoomList

export type RoomList = Pick<Room, 'subject' | 'type' | 'tunnelType'> & { readonly room?: HostRoom }

interface Counted {
  readonly count: number
  readonly list?: BoardList
  readonly room?: Room
}

export type Problem = Counted & {
  readonly isBroken: boolean
  readonly name:
    | 'failedServers'
    | 'failedTunnels'
    | 'failingRuns'
    | 'downServers'
    | 'downTunnels'
    | 'noRoom'
    | 'ledgerUnsound'
    | 'auditUnsound'
    | 'fullHosts'
    | 'nearlyFullHosts'
    | 'silentServers'
    | 'silentTunnels'
}

/** Broken things come first. Late jobs are not here, because they are named and not counted. */
export function problemsOf(board: Board): Problem[] {
  const broken = (name: Problem['name'], count: number, list?: BoardList): Problem[] =>
    count > 0 ? [{ name, count, isBroken: true, ...(list && { list }) }] : []
  const watch = (name: Problem['name'], count: number, list: BoardList): Problem[] =>
    count > 0 ? [{ name, count, isBroken: false, list }] : []
  return [
    ...broken('failedServers', board.servers.failed, 'failedServers'),
    ...broken('failedTunnels', board.tunnels.failed, 'failedTunnels'),
    ...broken('downServers', board.downServers, 'downServers'),
    ...broken('downTunnels', board.downTunnels, 'downTunnels'),
    ...broken('ledgerUnsound', board.ledgerFindings, 'ledger'),
    ...broken('auditUnsound', board.auditIsSound === false ? 1 : 0, 'audit'),
    ...board.rooms.filter((room) => room.full === room.hosts).map((room) => roomProblem('noRoom', room)),
    ...board.rooms.filter((room) => room.full < room.hosts).flatMap(narrow),
    ...(board.failingRuns
      ? [{ name: 'failingRuns' as const, count: board.failingRuns, isBroken: false }]
      : []),
    ...watch('silentServers', board.silentServers, 'silentServers'),
    ...watch('silentTunnels', board.silentTunnels, 'silentTunnels'),
  ]
}

const narrow = (room: Room): Problem[] =>
  (['fullHosts', 'nearlyFullHosts'] as const)
    .map((name) => roomProblem(name, room))
    .filter(({ count }) => count > 0)

const roomOf = { noRoom: undefined, fullHosts: 'full', nearlyFullHosts: 'nearlyFull' } as const

function roomProblem(name: keyof typeof roomOf, hosts: Room): Problem {
  const room = roomOf[name]
  return {
    name,
    count: hosts[room ?? 'full'],
    isBroken: name === 'noRoom',
    list: { ...hosts, ...(room && { room }) },
    room: hosts,
  }
}
