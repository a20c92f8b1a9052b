import { randomBytes } from 'node:crypto'
import { signIn } from '@kelid/contract'
import { bearer, callAt } from '../call.ts'
import { addHosts } from './hosts.ts'
import { startProduct } from './start.ts'

const admin = { email: 'first@kelid.test', password: `Aa1-${randomBytes(9).toString('base64url')}` }

export interface StockedProduct {
  readonly url: string
  readonly adminToken: string
  stop(): Promise<void>
}

/** The product with something to sell. Only global setup builds it: workers start it while others run. */
export async function openStockedProduct(env: Record<string, string> = {}): Promise<StockedProduct> {
  const product = await startProduct({
    KELID_ADMIN_EMAIL: admin.email,
    KELID_ADMIN_PASSWORD: admin.password,
    KELID_SECRET_KEY: randomBytes(32).toString('hex'),
    KELID_BRAND_CONTACT: 'sales@kelid.test',
    // Every person of the tests has an address of their own, as in life: sign-ups are counted by address.
    KELID_TRUST_PROXY: '1',
    ...env,
  })
  try {
    const { token } = await callAt(product.url)(signIn, admin)
    await addHosts(callAt(product.url, bearer(token)))
    return { url: product.url, adminToken: token, stop: product.stop }
  } catch (error) {
    await product.stop()
    throw error
  }
}
