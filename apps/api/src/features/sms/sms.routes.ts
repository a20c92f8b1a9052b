import { checkOtp, sendOtp } from '@kelid/contract'
import { bind } from '../../http/serve.ts'
import { askForCode, checkCode } from './sms.ts'

export const smsRoutes = [
  bind(sendOtp, ({ ctx, origin, input }) => askForCode(ctx, origin, input.mobile)),
  bind(checkOtp, ({ ctx, origin, input }) => checkCode(ctx, origin, input)),
]
