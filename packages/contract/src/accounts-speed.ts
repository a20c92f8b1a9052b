import * as z from 'zod/mini'
import { account, accountTarget } from './accounts.ts'
import { defineCall, one } from './call.ts'
import { rules } from './rules.ts'

export const setSpeed = defineCall({
  path: '/api/v1/accounts/setspeed',
  access: 'user',
  summary:
    'Set how fast an account may be, in Mbit/s on each of its ways and in each direction; null: no limit',
  input: { ...accountTarget, accountSpeedLimit: z.nullable(rules.speed) },
  output: one(account),
  message: 'Account changed',
  refusals: ['RESOURCE_NOT_FOUND'],
})
