import { randomBytes } from 'node:crypto'
import { signIn } from '@kelid/contract'
import { buildClient, buildServer } from '../../scripts/built.mjs'
import { bearer, callAt } from '../call.ts'
import { startFakeSmsGateway } from './fake-sms-gateway.ts'
import { putHouse } from './house.ts'
import { addPlaces } from './places.ts'
import { startProduct } from './start.ts'

const admin = { email: 'first@kelid.test', password: `Aa1-${randomBytes(9).toString('base64url')}` }

/** The built product, with something to sell; everything is gone again when the tests are over. */
export default async function setup(): Promise<() => Promise<void>> {
  buildClient()
  buildServer()
  const gateway = await startFakeSmsGateway()
  const product = await startProduct({
    KELID_ADMIN_EMAIL: admin.email,
    KELID_ADMIN_PASSWORD: admin.password,
    KELID_SECRET_KEY: randomBytes(32).toString('hex'),
    KELID_BRAND_CONTACT: 'sales@kelid.test',
    KELID_SMS_URL: gateway.url,
    // Every person of the tests has an address of their own, as in life: sign-ups are counted by address.
    KELID_TRUST_PROXY: '1',
  }).catch((error) => gateway.stop().then(() => Promise.reject(error)))
  const stop = async () => {
    await product.stop()
    await gateway.stop()
  }
  try {
    const { token } = await callAt(product.url)(signIn, admin)
    await addPlaces(callAt(product.url, bearer(token)))
    putHouse({ url: product.url, gatewayUrl: gateway.url, adminToken: token })
    return stop
  } catch (error) {
    await stop()
    throw error
  }
}
