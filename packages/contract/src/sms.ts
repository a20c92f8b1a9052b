import * as z from 'zod/mini'
import { defineCall, nothing, one } from './call.ts'
import { rules } from './rules.ts'

export const sendOtp = defineCall({
  path: '/api/v1/accounts/sendotp',
  access: 'anyone',
  server: 'messaging',
  summary: 'Send a sign-in code to a phone, known or not',
  input: { mobile: rules.phone },
  output: nothing,
  message: 'Code sent',
  refusals: ['SMS_OFF', 'TOO_MANY_ATTEMPTS'],
})

export const checkOtp = defineCall({
  path: '/api/v1/accounts/checkotp',
  access: 'anyone',
  server: 'messaging',
  summary: 'Sign in with the code; not for administrators',
  input: { mobile: rules.phone, otp: rules.smsCode },
  output: one(z.object({ secret: z.string() })),
  message: 'Signed in',
  refusals: ['SMS_OFF', 'WRONG_CODE', 'ACCOUNT_SUSPENDED', 'TOO_MANY_ATTEMPTS'],
})
