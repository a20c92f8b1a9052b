import { checkOtp, sendOtp } from '@kelid/contract'
import { bind } from '../../http/serve.ts'
import { checkCode, sendCode } from './sms.ts'

export const smsRoutes = [
  bind(sendOtp, ({ ctx, origin, input }) => sendCode(ctx, origin, input.mobile)),
  bind(checkOtp, ({ ctx, origin, input }) => checkCode(ctx, origin, input)),
]
