import { desired, hello, Refusal, renewCertificate, report } from '@kelid/contract'
import { type BoundCall, bind } from '../../http/serve.ts'
import { awaitDesired } from './desired.ts'
import { sayHello } from './nodes.ts'
import type { Waits } from './waits.ts'

const notYet = () => {
  throw new Refusal('BUSY')
}

export const nodesRoutes = (waits: Waits): readonly BoundCall[] => [
  bind(hello, ({ ctx, node, input }) => sayHello(ctx, node, input)),
  bind(desired, ({ ctx, node, input }) => awaitDesired(ctx, waits, node, input)),
  bind(report, notYet),
  bind(renewCertificate, notYet),
]
