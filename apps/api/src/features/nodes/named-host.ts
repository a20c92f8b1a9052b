import { Refusal } from '@kelid/contract'
import type { Context } from '../../context.ts'
import { findAnyHost, type HeardHost } from '../hosts/kinds.ts'
import { raiseAlerts } from './alerts.ts'
import { lockReports } from './report.store.ts'

const anyUUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i

/** Calls of nodes have no identity field. A node that adds one for another host is refused and audited. */
export async function noteNamedHost(
  ctx: Context,
  node: HeardHost,
  body: unknown,
  refusal: unknown,
): Promise<void> {
  if (!(refusal instanceof Refusal) || refusal.type !== 'UNKNOWN_FIELD') return
  const value: unknown = Object(body)[String(refusal.parameters.field)]
  const uuid = anyUUID.exec(JSON.stringify(value) ?? '')?.[0]
  const namedHost = uuid && (await findAnyHost(ctx.db, uuid))
  if (!namedHost || namedHost.uuid === node.uuid) return
  await ctx.atomically(async (tx) => {
    await lockReports(tx, node.uuid)
    const audit = await raiseAlerts(ctx, tx, node, [
      { alert: 'foreign', count: 1, [namedHost.kind]: namedHost.uuid },
    ])
    await audit()
  })
}
