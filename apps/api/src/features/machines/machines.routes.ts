import * as contract from '@kelid/contract'
import { bind } from '../../http/serve.ts'
import { getMachine } from './machines.ts'

export const machinesRoutes = [
  bind(contract.getMachine, ({ ctx, input }) => getMachine(ctx, input.machineIPV4)),
]
