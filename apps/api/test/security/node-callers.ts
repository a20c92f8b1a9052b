import { randomUUID } from 'node:crypto'
import type { Agent } from 'node:https'
import { type Call, day, removeHost } from '@kelid/contract'
import { issueNodeCertificate, issueServerCertificate } from '../../src/features/authority/authority.ts'
import { testClock } from '../clock.ts'
import { agentOf, type ProductWithNodes } from '../nodes.ts'
import { openProduct, type Person } from '../product.ts'
import { type Answered, bearer, type Letter, send } from './wire.ts'

/** Callers of the agents' listener. The TLS handshake refuses some of them before anything is read. */
export const nodeCallers = {
  'no certificate': 'no TLS',
  "another installation's": 'no TLS',
  "a server's": 'no TLS',
  'one that has ended': 'no TLS',
  'of a host that never was': 'UNAUTHENTICATED',
  'of a host that was removed': 'UNAUTHENTICATED',
  'one that was revoked': 'UNAUTHENTICATED',
  "a server's agent": 'OK',
  "a tunnel's agent": 'OK',
} as const
export type NodeCaller = keyof typeof nodeCallers

type Maker = (product: ProductWithNodes) => Promise<Agent>

const makers: Record<NodeCaller, Maker> = {
  async 'no certificate'({ ctx, server }) {
    const { ca } = await issueNodeCertificate(ctx, await server())
    return agentOf({ ca })
  },
  async "another installation's"({ ctx, server }) {
    const uuid = await server()
    const other = await openProduct({ clock: testClock(new Date()) })
    const { certificate, key } = await issueNodeCertificate(other.ctx, uuid)
    await other.close()
    return agentOf({ ca: (await issueNodeCertificate(ctx, uuid)).ca, certificate, key })
  },
  async "a server's"({ ctx }) {
    const { ca, chain: certificate, key } = await issueServerCertificate(ctx, 'fra1.example.com')
    return agentOf({ ca, certificate, key })
  },
  async 'one that has ended'({ ctx, server }) {
    const clock = testClock(new Date(Date.now() - 100 * day))
    return agentOf(await issueNodeCertificate({ ...ctx, clock }, await server()))
  },
  'of a host that never was': ({ nodeOf }) => nodeOf(randomUUID()),
  async 'of a host that was removed'({ admin, server, nodeOf }) {
    const serverUUID = await server()
    const agent = await nodeOf(serverUUID)
    await admin.ask(removeHost, { hostUUID: serverUUID })
    return agent
  },
  async 'one that was revoked'({ sql, clock, server, nodeOf }) {
    const uuid = await server()
    const agent = await nodeOf(uuid)
    await sql('UPDATE node_certificates SET revoked_at = $2 WHERE host_uuid = $1', uuid, clock.now())
    return agent
  },
  "a server's agent": async ({ server, nodeOf }) => nodeOf(await server()),
  "a tunnel's agent": async ({ tunnel, nodeOf }) => nodeOf(await tunnel()),
}

export const nodeCaller = (product: ProductWithNodes, kind: NodeCaller): Promise<Agent> =>
  makers[kind](product)

export type Post = (letter: Letter) => Promise<Answered>

/** Nodes identify themselves by a certificate, all other callers by a token. */
export async function postAs(product: ProductWithNodes, call: Call, person: Person): Promise<Post> {
  if (call.access !== 'node')
    return ({ headers, ...letter }) =>
      send(product.url, { ...letter, headers: { ...bearer(person.token), ...headers } })
  const agent = await nodeCaller(product, "a server's agent")
  return (letter) => send(product.nodesUrl, letter, agent)
}
