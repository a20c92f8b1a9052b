import type { Context } from '../../context.ts'
import { findCode } from './sms.store.ts'
import { digitsOf, ownerOf } from './sms.ts'

const gatewayTimeout = 10_000

/** Idempotent: a retry sends the same code. */
export async function sendSms(ctx: Context, uuid: string): Promise<void> {
  const code = await findCode(ctx.db, uuid, ctx.clock.now())
  if (!code || !(await ownerOf(ctx.db, code.mobile))) return
  try {
    await deliver(ctx, code.mobile, digitsOf(ctx, code))
  } catch (error) {
    ctx.log.warn({ reason: error instanceof Error ? error.message : 'unknown' }, 'an SMS was not sent')
    throw new Error('an SMS was not sent')
  }
}

async function deliver(ctx: Context, mobile: string, code: string): Promise<void> {
  const { KELID_SMS_URL, KELID_SMS_TOKEN, KELID_BRAND_NAME } = ctx.config
  const reply = await fetch(KELID_SMS_URL, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(KELID_SMS_TOKEN && { authorization: `Bearer ${KELID_SMS_TOKEN}` }),
    },
    body: JSON.stringify({ mobile, code, text: `${KELID_BRAND_NAME}: ${code}` }),
    signal: AbortSignal.timeout(gatewayTimeout),
  })
  if (!reply.ok) throw new Error(`the gateway answered ${reply.status}`)
}
