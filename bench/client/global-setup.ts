import { putHouse } from '../../e2e/product/house.ts'
import { openHouse } from '../../e2e/product/open-house.ts'
import { buildAgent, buildClient } from '../../scripts/built.mjs'

/** As most operators have it: without an SMS gateway, whose form would come on top of the sign-in screen. */
export default async function setup(): Promise<() => Promise<void>> {
  buildClient()
  buildAgent()
  const house = await openHouse()
  putHouse({ url: house.url, gatewayUrl: '', adminToken: house.adminToken })
  return house.stop
}
