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

/** The product with hosts to sell accounts on. Global setup builds the client and the agent first. */
export async function openStockedProduct(env: Record<string, string> = {}): Promise<StockedProduct> {
  const product = await startProduct({
    KELID_ADMIN_EMAIL: admin.email,
    KELID_ADMIN_PASSWORD: admin.password,
    KELID_SECRET_KEY: randomBytes(32).toString('hex'),
    KELID_BRAND_CONTACT: 'sales@kelid.test',
    // Sign-ups are limited by address, so every test user has its own.
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
