import { checkOtp, sendOtp, setUserPhone } from '@kelid/contract'
import { expect, test, vi } from 'vitest'
import { startWorker } from '../../src/jobs/worker.ts'
import type { Body } from '../calls.ts'
import { openForAllTests } from '../hooks.ts'
import { productForAllTests } from '../product.ts'
import { scale } from '../scale.ts'
import { expectSameTime } from './same-time.ts'
import { openFakeGateway } from './sms-gateway.ts'

const gateway = openForAllTests(openFakeGateway)
const product = productForAllTests(() => ({ env: { KELID_SMS_URL: gateway.url, KELID_TRUST_PROXY: '1' } }))
const phones = { known: '09121234567', unknown: '09120000001' }

let address = 0
async function visit(mobile: string): Promise<number> {
  address += 1
  const headers = { 'x-forwarded-for': `10.2.${address >> 8}.${address & 255}` }
  const took = async <C extends typeof sendOtp | typeof checkOtp>(call: C, body: Body<C>) => {
    const started = performance.now()
    const { errorType } = await product.call(call, body, { headers })
    expect([undefined, 'WRONG_CODE']).toContain(errorType)
    return performance.now() - started
  }
  const asking = await took(sendOtp, { mobile })
  return asking + (await took(checkOtp, { mobile, otp: '0000' }))
}

test('asking and guessing take the same time for a phone that exists and one that does not, while the gateway hangs', async () => {
  gateway.holdBack()
  const { email: userEmail } = await product.person()
  await product.admin.ask(setUserPhone, { userEmail, userPhone: phones.known })
  await startWorker(product.ctx)
  const figures = { pairs: scale(40, 200), attempts: 8, tolerance: 0.1 }
  await expectSameTime('SMS timing', figures, (kind) => {
    // A day later no visit is throttled.
    product.clock.advance(25 * 3_600_000)
    return visit(phones[kind])
  })
  // The clock stands still now, so that the job finds a code that has not expired.
  await visit(phones.known)
  await vi.waitFor(() => expect(gateway.sent.length).toBeGreaterThan(0), 30_000)
  gateway.letGo()
  await product.ctx.jobs.stop(5_000)
})
