import * as contract from '@kelid/contract'
import { bind } from '../../http/serve.ts'
import { startRollout, stopRollout } from './rollout.ts'
import { listPrograms, readUpgrades, upgradeHost } from './upgrades.ts'

export const upgradesRoutes = [
  bind(contract.getHostPrograms, ({ ctx, input }) => listPrograms(ctx, input)),
  bind(contract.getUpgrades, ({ ctx }) => readUpgrades(ctx)),
  bind(contract.upgradeHost, ({ ctx, by, input }) => upgradeHost(ctx, by, input.hostUUID)),
  bind(contract.startRollout, ({ ctx, by }) => startRollout(ctx, by)),
  bind(contract.stopRollout, ({ ctx, by }) => stopRollout(ctx, by)),
]
