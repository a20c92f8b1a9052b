import {
  type Answer,
  acceptServerHostKey,
  acceptTunnelHostKey,
  type Call,
  cancelServerRun,
  cancelTunnelRun,
  getHostFigures,
  getServer,
  getServerHealth,
  getServerHostKey,
  getServerLog,
  getServerMoveTargets,
  getServerRuns,
  getServers,
  getTunnel,
  getTunnelHealth,
  getTunnelHostKey,
  getTunnelLog,
  getTunnelMoveTargets,
  getTunnelRuns,
  getTunnels,
  type HostKind,
  moveServerAccounts,
  moveTunnelAccounts,
  provisionServer,
  provisionTunnel,
  quoteServerMove,
  quoteTunnelMove,
  removeServer,
  removeTunnel,
  setServerPaused,
  setServerReady,
  setTunnelPaused,
  setTunnelReady,
} from '@kelid/contract'
import { type Host, hostOfServer, hostOfTunnel } from './host.ts'
import { type Question, question } from './question.ts'

export type AnsibleLog = Answer<typeof getServerLog>
export type Run = Answer<typeof getServerRuns>['items'][number]
export type HostHealth = Answer<typeof getServerHealth>
export type HostKey = Answer<typeof getServerHostKey>
export type MoveQuote = Answer<typeof quoteServerMove>

interface About {
  readonly uuid: string
}

interface KindOfHost {
  readonly one: Question<About, Host>
  readonly log: Question<About & { runUUID?: string | undefined }, AnsibleLog>
  readonly health: Question<About, HostHealth>
  readonly hostKey: Question<About, HostKey>
  readonly acceptKey: Question<About & { fingerprint: string }, HostKey>
  readonly provision: Question<About, unknown>
  readonly cancel: Question<About, Host>
  readonly setReady: Question<About & { reason: string }, Host>
  readonly setPaused: Question<About & { isPaused: boolean }, Host>
  readonly moveTargets: Question<About & { search: string }, readonly Host[]>
  readonly quoteMove: Question<About & { to: string }, MoveQuote>
  readonly move: Question<About & { to: string; accounts: number }, { accounts: number }>
  readonly remove: Question<About, unknown>
  readonly list: Call
  /** What is no longer true once one of them was changed. */
  readonly stale: readonly Call[]
}

const asIs = <T>(answer: T): T => answer
/** How many places to move to are shown. */
const atMost = 20

/** One table instead of every act twice. */
export const kinds: Record<HostKind, KindOfHost> = {
  server: {
    one: question(getServer, ({ uuid }) => ({ serverUUID: uuid }), hostOfServer),
    log: question(
      getServerLog,
      ({ uuid, runUUID }) => ({ serverUUID: uuid, ...(runUUID && { runUUID }) }),
      asIs,
    ),
    health: question(getServerHealth, ({ uuid }) => ({ serverUUID: uuid }), asIs),
    hostKey: question(getServerHostKey, ({ uuid }) => ({ serverUUID: uuid }), asIs),
    acceptKey: question(
      acceptServerHostKey,
      ({ uuid, fingerprint }) => ({ serverUUID: uuid, basedOn: { hostKeyFingerprint: fingerprint } }),
      asIs,
    ),
    provision: question(provisionServer, ({ uuid }) => ({ serverUUID: uuid }), asIs),
    cancel: question(cancelServerRun, ({ uuid }) => ({ serverUUID: uuid }), hostOfServer),
    setReady: question(setServerReady, ({ uuid, reason }) => ({ serverUUID: uuid, reason }), hostOfServer),
    setPaused: question(
      setServerPaused,
      ({ uuid, isPaused }) => ({
        serverUUID: uuid,
        serverPaused: isPaused,
        basedOn: { serverPaused: !isPaused },
      }),
      hostOfServer,
    ),
    moveTargets: question(
      getServerMoveTargets,
      ({ uuid, search }) => ({ serverUUID: uuid, limit: atMost, ...(search && { search }) }),
      ({ items }) => items.map(hostOfServer),
    ),
    quoteMove: question(quoteServerMove, ({ uuid, to }) => ({ serverUUID: uuid, toServerUUID: to }), asIs),
    move: question(
      moveServerAccounts,
      ({ uuid, to, accounts }) => ({ serverUUID: uuid, toServerUUID: to, accounts }),
      asIs,
    ),
    remove: question(removeServer, ({ uuid }) => ({ serverUUID: uuid }), asIs),
    list: getServers,
    stale: [
      getServers,
      getServer,
      getServerRuns,
      getServerHealth,
      getServerHostKey,
      getServerMoveTargets,
      getHostFigures,
    ],
  },
  tunnel: {
    one: question(getTunnel, ({ uuid }) => ({ tunnelUUID: uuid }), hostOfTunnel),
    log: question(
      getTunnelLog,
      ({ uuid, runUUID }) => ({ tunnelUUID: uuid, ...(runUUID && { runUUID }) }),
      asIs,
    ),
    health: question(getTunnelHealth, ({ uuid }) => ({ tunnelUUID: uuid }), asIs),
    hostKey: question(getTunnelHostKey, ({ uuid }) => ({ tunnelUUID: uuid }), asIs),
    acceptKey: question(
      acceptTunnelHostKey,
      ({ uuid, fingerprint }) => ({ tunnelUUID: uuid, basedOn: { hostKeyFingerprint: fingerprint } }),
      asIs,
    ),
    provision: question(provisionTunnel, ({ uuid }) => ({ tunnelUUID: uuid }), asIs),
    cancel: question(cancelTunnelRun, ({ uuid }) => ({ tunnelUUID: uuid }), hostOfTunnel),
    setReady: question(setTunnelReady, ({ uuid, reason }) => ({ tunnelUUID: uuid, reason }), hostOfTunnel),
    setPaused: question(
      setTunnelPaused,
      ({ uuid, isPaused }) => ({
        tunnelUUID: uuid,
        tunnelPaused: isPaused,
        basedOn: { tunnelPaused: !isPaused },
      }),
      hostOfTunnel,
    ),
    moveTargets: question(
      getTunnelMoveTargets,
      ({ uuid, search }) => ({ tunnelUUID: uuid, limit: atMost, ...(search && { search }) }),
      ({ items }) => items.map(hostOfTunnel),
    ),
    quoteMove: question(quoteTunnelMove, ({ uuid, to }) => ({ tunnelUUID: uuid, toTunnelUUID: to }), asIs),
    move: question(
      moveTunnelAccounts,
      ({ uuid, to, accounts }) => ({ tunnelUUID: uuid, toTunnelUUID: to, accounts }),
      asIs,
    ),
    remove: question(removeTunnel, ({ uuid }) => ({ tunnelUUID: uuid }), asIs),
    list: getTunnels,
    stale: [
      getTunnels,
      getTunnel,
      getTunnelRuns,
      getTunnelHealth,
      getTunnelHostKey,
      getTunnelMoveTargets,
      getHostFigures,
    ],
  },
}
