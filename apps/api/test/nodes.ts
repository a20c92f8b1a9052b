import type { Server } from 'node:http'
import { Agent } from 'node:https'
import type { AddressInfo } from 'node:net'
import { type Answer, type addServer, type Call, desired, report, unwrap } from '@kelid/contract'
import { sql } from 'kysely'
import { Registry } from 'prom-client'
import { issueNodeCertificate } from '../src/features/authority/authority.ts'
import { createNodeServer } from '../src/http/node-server.ts'
import { type Body, common } from './calls.ts'
import { testClock } from './clock.ts'
import { openForAllTests } from './hooks.ts'
import { openProduct, type Product, type ProductOptions } from './product.ts'
import { emptyReport } from './security/samples.ts'
import { json, send } from './security/wire.ts'

export interface Identity {
  readonly ca: string
  readonly certificate?: string
  readonly key?: string
}

export interface ServerNode {
  readonly uuid: string
  readonly agent: Agent
  /** Sends a report that has these fields and is empty otherwise. */
  say(fields: Partial<Body<typeof report>>): Promise<Answer<typeof report>>
  /** The account list, as for an agent that has none. */
  list(): Promise<Answer<typeof desired>>
}

export interface ProductWithNodes extends Product {
  readonly nodeListener: Server
  readonly nodesUrl: string
  /** The agent of a host, with a certificate of its own. */
  nodeOf(uuid: string): Promise<Agent>
  /** What an agent is told; throws when it was refused. */
  ask<C extends Call<'node'>>(agent: Agent, call: C, body: Body<C>): Promise<Answer<C>>
  /** The agent of a server that is there. */
  serverNode(uuid: string): Promise<ServerNode>
  /** A server with its agent; no server that was there before takes new accounts. */
  onlyServer(change?: Partial<Body<typeof addServer>>): Promise<ServerNode>
}

/** The type of the refusal, or OK. */
export const outcomeOf = (asked: Promise<unknown>): Promise<string | undefined> =>
  asked.then(
    () => 'OK',
    (error: { type?: string }) => error.type,
  )

/** One connection at a time, kept alive, by which a node speaks. */
export const agentOf = ({ ca, certificate, key }: Identity): Agent =>
  new Agent({ ca, cert: certificate, key, keepAlive: true, maxSockets: 1 })

/** The product with its listener for nodes. TLS goes by the machine's clock, so the product's begins there too. */
export async function openProductWithNodes({
  clock = testClock(new Date()),
  ...options
}: ProductOptions = {}): Promise<ProductWithNodes> {
  const product = await openProduct({ clock, ...options })
  const server = await createNodeServer(
    product.ctx,
    product.database.connection,
    { isStopping: false },
    new Registry(),
  )
  await server.listen({ host: '127.0.0.1', port: 0 })
  const nodesUrl = `https://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  const agents: Agent[] = []
  const nodeOf = async (uuid: string) => {
    const agent = agentOf(await issueNodeCertificate(product.ctx, uuid))
    agents.push(agent)
    return agent
  }
  const ask: ProductWithNodes['ask'] = async (agent, call, body) => {
    const letter = { path: call.path, headers: json, body: JSON.stringify({ ...common, ...body }) }
    const { text } = await send(nodesUrl, letter, agent)
    return unwrap(call, JSON.parse(text))
  }
  const serverNode: ProductWithNodes['serverNode'] = async (uuid) => {
    const agent = await nodeOf(uuid)
    return {
      uuid,
      agent,
      say: (fields) =>
        ask(agent, report, { ...emptyReport(), now: product.clock.now().toISOString(), ...fields }),
      list: () => ask(agent, desired, { epoch: '', digest: '' }),
    }
  }
  return {
    ...product,
    nodeListener: server.server,
    nodesUrl,
    nodeOf,
    ask,
    serverNode,
    async onlyServer(change) {
      await product.ctx.db.updateTable('servers').set({ paused: true }).execute()
      return serverNode(await product.server(change))
    },
    async close() {
      for (const agent of agents) agent.destroy()
      await server.close()
      await product.close()
    },
  }
}

export const nodesForAllTests = (options?: ProductOptions) =>
  openForAllTests(() => openProductWithNodes(options))

/** As a database that was restored from too early a backup; in the order in which everybody takes many. */
export const loseAccounts = ({ ctx }: Product): Promise<unknown> =>
  sql`DELETE FROM accounts WHERE uuid IN (SELECT uuid FROM accounts ORDER BY uuid FOR UPDATE)`.execute(ctx.db)
