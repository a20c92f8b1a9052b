import {
  allowShrink,
  desired,
  getHostFigures,
  hello,
  renewCertificate,
  report,
  revokeNode,
} from '@kelid/contract'
import { type BoundCall, bind } from '../../http/serve.ts'
import { renewNodeCertificate } from '../authority/authority.ts'
import { awaitDesired } from './desired.ts'
import { figuresOf } from './figures.ts'
import { allowSmallerList, revokeHost } from './node-acts.ts'
import { sayHello } from './nodes.ts'
import { takeReport } from './report.ts'
import type { NodeTurns } from './turns.ts'
import type { Waits } from './waits.ts'

export const nodesRoutes = (waits: Waits, { lists, reports }: NodeTurns): readonly BoundCall[] => [
  bind(hello, ({ ctx, node, input }) => sayHello(ctx, node, input)),
  bind(desired, ({ ctx, node, input }) => awaitDesired(ctx, waits, lists, node, input)),
  bind(report, ({ ctx, node, input }) => reports.take(node.uuid, () => takeReport(ctx, node, input))),
  bind(renewCertificate, ({ ctx, node }) => renewNodeCertificate(ctx, node)),
]

export const nodeUpkeepRoutes = [
  bind(allowShrink, ({ ctx, by, input }) => allowSmallerList(ctx, by, input.hostUUID)),
  bind(revokeNode, ({ ctx, by, input }) => revokeHost(ctx, by, input.hostUUID)),
  bind(getHostFigures, ({ ctx, input }) => figuresOf(ctx, input.hostUUID)),
]
