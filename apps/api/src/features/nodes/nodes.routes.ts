import { hello } from '@kelid/contract'
import { bind } from '../../http/serve.ts'
import { sayHello } from './nodes.ts'

export const nodesRoutes = [bind(hello, ({ ctx, node, input }) => sayHello(ctx, node, input))]
