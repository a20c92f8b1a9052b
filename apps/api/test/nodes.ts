import { Agent } from 'node:https'
import type { AddressInfo } from 'node:net'
import { Registry } from 'prom-client'
import { issueNodeCertificate } from '../src/features/authority/authority.ts'
import { createNodeServer } from '../src/http/node-server.ts'
import { testClock } from './clock.ts'
import { openProduct, type Product, type ProductOptions } from './product.ts'

export interface Identity {
  readonly ca: string
  readonly certificate?: string
  readonly key?: string
}

export interface ProductWithNodes extends Product {
  readonly nodesUrl: string
  /** The agent of a host, with a certificate of its own. */
  nodeOf(uuid: string): Promise<Agent>
}

/** One connection at a time, kept alive, by which a node speaks. */
export const agentOf = ({ ca, certificate, key }: Identity): Agent =>
  new Agent({ ca, cert: certificate, key, keepAlive: true, maxSockets: 1 })

/** The product with its listener for nodes. TLS goes by the machine's clock, so the product's begins there too. */
export async function openProductWithNodes({
  clock = testClock(new Date()),
  ...options
}: ProductOptions = {}): Promise<ProductWithNodes> {
  const product = await openProduct({ clock, ...options })
  const server = await createNodeServer(product.ctx, { isStopping: false }, new Registry())
  await server.listen({ host: '127.0.0.1', port: 0 })
  const agents: Agent[] = []
  return {
    ...product,
    nodesUrl: `https://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    async nodeOf(uuid) {
      const agent = agentOf(await issueNodeCertificate(product.ctx, uuid))
      agents.push(agent)
      return agent
    },
    async close() {
      for (const agent of agents) agent.destroy()
      await server.close()
      await product.close()
    },
  }
}
