import * as contract from '@kelid/contract'
import { bind } from '../../http/serve.ts'
import { listRunsAt } from '../hosts/runs.ts'
import { getMachine } from './machines.ts'

export const machinesRoutes = [
  bind(contract.getMachine, ({ ctx, input }) => getMachine(ctx, input.machineIPV4)),
  bind(contract.getMachineRuns, ({ ctx, input }) => listRunsAt(ctx, input.machineIPV4, input)),
]
