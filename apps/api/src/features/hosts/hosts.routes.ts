import * as contract from '@kelid/contract'
import type { Context } from '../../context.ts'
import { bind } from '../../http/serve.ts'
import { editHost } from './edit.ts'
import { acceptNewHostKey, readHostKey } from './host-access.ts'
import { requireHost } from './kinds.ts'
import { listMoveTargets, moveAccounts, moveOf, quoteMove } from './moving.ts'
import { cancelRuns, listRuns } from './runs.ts'
import { removeHost, setHostPaused } from './upkeep.ts'

/** The kind of a host never changes, so it is read before the transaction that locks the host. */
const hostOf = ({ db }: Context, { hostUUID }: { hostUUID: string }) => requireHost(db, hostUUID)

export const hostsRoutes = [
  bind(contract.getHostRuns, async ({ ctx, input }) => listRuns(ctx, await hostOf(ctx, input), input)),
  bind(contract.cancelHostRun, async ({ ctx, by, input }) => cancelRuns(ctx, by, await hostOf(ctx, input))),
  bind(contract.setHostPaused, async ({ ctx, by, input }) =>
    setHostPaused(ctx, by, await hostOf(ctx, input), input.hostPaused, input.basedOn?.hostPaused),
  ),
  bind(contract.editHost, async ({ ctx, by, input }) => editHost(ctx, by, await hostOf(ctx, input), input)),
  bind(contract.getHostKey, async ({ ctx, input }) => readHostKey(ctx, await hostOf(ctx, input))),
  bind(contract.acceptHostKey, async ({ ctx, by, input }) =>
    acceptNewHostKey(ctx, by, await hostOf(ctx, input), input.basedOn),
  ),
  bind(contract.getHostMoveTargets, async ({ ctx, input }) =>
    listMoveTargets(ctx, await hostOf(ctx, input), input),
  ),
  bind(contract.quoteHostMove, async ({ ctx, input }) =>
    quoteMove(ctx.db, moveOf(await hostOf(ctx, input), input.toHostUUID)),
  ),
  bind(contract.moveHostAccounts, ({ ctx, input, ...mover }) => moveAccounts(ctx, mover, input)),
  bind(contract.removeHost, async ({ ctx, by, input }) => removeHost(ctx, by, await hostOf(ctx, input))),
]
