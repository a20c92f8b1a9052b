import { checkOtp, onePhone, sendOtp } from '@kelid/contract'
import { bind } from '../../http/serve.ts'
import { askForCode, checkCode } from './sms.ts'

export const smsRoutes = [
  bind(sendOtp, ({ ctx, origin, input }) => askForCode(ctx, origin, onePhone(input.mobile))),
  bind(checkOtp, ({ ctx, origin, input }) =>
    checkCode(ctx, origin, { mobile: onePhone(input.mobile), otp: input.otp }),
  ),
]
