import { openStockedProduct } from '../../e2e/product/stocked-product.ts'
import { shareProduct } from '../../e2e/product/tested-product.ts'
import { buildAgent, buildClient } from '../../scripts/built.mjs'

/** Without an SMS gateway, like most operators; its form would enlarge the sign-in screen. */
export default async function setup(): Promise<() => Promise<void>> {
  buildClient()
  buildAgent()
  const product = await openStockedProduct()
  shareProduct({ url: product.url, gatewayUrl: '', adminToken: product.adminToken })
  return product.stop
}
