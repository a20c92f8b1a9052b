import {
  type Call,
  getAccount,
  getSessions,
  getStatement,
  getUser,
  getUserAccounts,
  getUserCredit,
  getUserDebt,
  type LiveEvent,
} from '@kelid/contract'

const nothing: readonly Call[] = []

/** The admin screens listen for their own events. */
const staleBy: Record<LiveEvent['type'], readonly Call[] | 'everything'> = {
  ready: nothing,
  account: [getUserAccounts, getAccount],
  balance: [getUserCredit, getUserDebt, getStatement],
  sessions: [getSessions, getUser],
  server: nothing,
  tunnel: nothing,
  log: nothing,
  reset: 'everything',
}

export const staleAfter = (event: LiveEvent): readonly Call[] | 'everything' => staleBy[event.type]
