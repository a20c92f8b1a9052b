import { desired, hello, Refusal, renewCertificate, report } from '@kelid/contract'
import { bind } from '../../http/serve.ts'
import { sayHello } from './nodes.ts'

const notYet = () => {
  throw new Refusal('BUSY')
}

export const nodesRoutes = [
  bind(hello, ({ ctx, node, input }) => sayHello(ctx, node, input)),
  bind(desired, notYet),
  bind(report, notYet),
  bind(renewCertificate, notYet),
]
