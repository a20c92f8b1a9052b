import { checkOtp, sendOtp, setUserPhone } from '@kelid/contract'
import { expect, test, vi } from 'vitest'
import { startWorker } from '../../src/jobs/worker.ts'
import { type Body, openProduct } from '../product.ts'
import { scale } from '../scale.ts'
import { openFakeGateway } from './sms-gateway.ts'

const pairs = scale(40, 200)
const attempts = 8
const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

test('asking and guessing take the same time for a phone that exists and one that does not, while the gateway hangs', {
  timeout: 240_000,
}, async () => {
  const gateway = await openFakeGateway()
  gateway.holdBack()
  const product = await openProduct({ env: { KELID_SMS_URL: gateway.url, KELID_TRUST_PROXY: '1' } })
  const { email: userEmail } = await product.person()
  const known = '09121234567'
  const unknown = '09120000001'
  ;(await product.admin.call(setUserPhone, { userEmail, userPhone: known })).answer()
  await startWorker(product.ctx)
  let address = 0
  async function visit(mobile: string): Promise<number> {
    address += 1
    // Nobody is throttled: a forgotten day later, and from an address of its own.
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
  const findings: string[] = []
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const times = { known: [] as number[], unknown: [] as number[] }
    for (let count = 0; count < pairs; count += 1) {
      product.clock.advance(25 * 3_600_000)
      const order = count % 2 === 0 ? ([known, unknown] as const) : ([unknown, known] as const)
      for (const mobile of order) times[mobile === known ? 'known' : 'unknown'].push(await visit(mobile))
    }
    const figures = { known: median(times.known), unknown: median(times.unknown) }
    const figure = `known ${figures.known.toFixed(2)} ms, unknown ${figures.unknown.toFixed(2)} ms, ${pairs} each`
    console.log(`SMS timing: ${figure}`)
    if (Math.abs(figures.known - figures.unknown) <= Math.max(1, 0.1 * figures.unknown)) break
    findings.push(figure)
  }
  expect(findings.length).toBeLessThan(attempts)
  // The clock stands still now, so that the job finds a code that has not run out.
  await visit(known)
  await vi.waitFor(() => expect(gateway.sent.length).toBeGreaterThan(0), 30_000)
  gateway.letGo()
  await product.ctx.jobs.stop(5_000)
  await product.close()
  await gateway.close()
})
