import * as z from 'zod/mini'
import { defineCall, nothing, one } from './call.ts'
import { rules } from './rules.ts'

export const secondFactorRules = ['optional', 'required'] as const

/** An administrator who lacks a required one must be able to set it up. */
const access = 'anyAdmin'

const recoveryCodes = one(z.object({ recoveryCodes: z.array(z.string()) }))
const proof = { password: rules.signInPassword, code: rules.secondFactorCode }
const refusals = [
  'RESOURCE_NOT_FOUND',
  'WRONG_CREDENTIALS',
  'WRONG_CODE',
  'TOO_MANY_ATTEMPTS',
  'BUSY',
] as const

export const getSecondFactor = defineCall({
  access,
  path: '/api/v1/auth/getsecondfactor',
  summary: 'Whether your second factor is on and required',
  input: {},
  output: one(
    z.object({
      isOn: z.boolean(),
      isRequired: z.boolean(),
      recoveryCodesLeft: z.number(),
      since: z.nullable(z.string()),
    }),
  ),
})

export const startSecondFactor = defineCall({
  access,
  path: '/api/v1/auth/startsecondfactor',
  summary:
    'Begin to set up a second factor: a secret for an authenticator app. It counts once a code confirms it',
  input: { password: rules.signInPassword },
  output: one(z.object({ secret: z.string(), otpauthUrl: z.string() })),
  message: 'Scan it and confirm with a code',
  refusals: ['SECOND_FACTOR_ON', 'WRONG_CREDENTIALS', 'TOO_MANY_ATTEMPTS', 'BUSY'],
})

export const confirmSecondFactor = defineCall({
  access,
  path: '/api/v1/auth/confirmsecondfactor',
  summary:
    'Switch it on by a code of the app; recovery codes are given this once, and every other session ends',
  input: { code: rules.secondFactorCode },
  output: recoveryCodes,
  message: 'Second factor set up',
  refusals: ['RESOURCE_NOT_FOUND', 'SECOND_FACTOR_ON', 'WRONG_CODE', 'TOO_MANY_ATTEMPTS'],
})

export const removeSecondFactor = defineCall({
  access,
  path: '/api/v1/auth/removesecondfactor',
  summary: 'Remove your second factor with the password and a code of the app or a recovery code',
  input: proof,
  output: nothing,
  message: 'Second factor removed',
  refusals,
})

export const newRecoveryCodes = defineCall({
  access,
  path: '/api/v1/auth/newrecoverycodes',
  summary: 'Create new recovery codes, shown only once; the old ones stop working',
  input: proof,
  output: recoveryCodes,
  message: 'New recovery codes',
  refusals,
})
