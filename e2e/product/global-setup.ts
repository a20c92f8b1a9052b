import { buildAgent, buildClient } from '../../scripts/built.mjs'
import { startFakeSmsGateway } from './fake-sms-gateway.ts'
import { putHouse } from './house.ts'
import { openHouse } from './open-house.ts'

/** Everything is gone again when the tests are over. */
export default async function setup(): Promise<() => Promise<void>> {
  buildClient()
  buildAgent()
  const gateway = await startFakeSmsGateway()
  const house = await openHouse({ KELID_SMS_URL: gateway.url }).catch((error) =>
    gateway.stop().then(() => Promise.reject(error)),
  )
  putHouse({ url: house.url, gatewayUrl: gateway.url, adminToken: house.adminToken })
  return async () => {
    await house.stop()
    await gateway.stop()
  }
}
