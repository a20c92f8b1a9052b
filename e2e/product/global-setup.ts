import { buildAgent, buildClient } from '../../scripts/built.mjs'
import { startFakeSmsGateway } from './fake-sms-gateway.ts'
import { openStockedProduct } from './stocked-product.ts'
import { shareProduct } from './tested-product.ts'

export default async function setup(): Promise<() => Promise<void>> {
  buildClient()
  buildAgent()
  const gateway = await startFakeSmsGateway()
  const product = await openStockedProduct({ KELID_SMS_URL: gateway.url }).catch((error) =>
    gateway.stop().then(() => Promise.reject(error)),
  )
  shareProduct({ url: product.url, gatewayUrl: gateway.url, adminToken: product.adminToken })
  return async () => {
    await product.stop()
    await gateway.stop()
  }
}
