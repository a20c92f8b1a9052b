import * as z from 'zod/mini'
import { beyondSpec } from './beyond-spec.ts'
import { defineCall, list, nothing, one } from './call.ts'
import { rules } from './rules.ts'

export const signIn = defineCall({
  path: '/api/v1/auth/signin',
  access: 'anyone',
  summary: 'Sign in with e-mail and password',
  input: {
    email: rules.signInEmail,
    password: rules.signInPassword,
    secondFactorCode: z.optional(rules.secondFactorCode),
  },
  // Only administrators get the level.
  output: one(z.object({ token: z.string(), userLevel: z.optional(z.number()) })),
  message: 'Signed in',
  refusals: [
    'WRONG_CREDENTIALS',
    'SECOND_FACTOR_REQUIRED',
    'WRONG_CODE',
    'ACCOUNT_SUSPENDED',
    'TOO_MANY_ATTEMPTS',
    'BUSY',
  ],
})

export const signUp = defineCall({
  path: '/api/v1/auth/signup',
  access: 'anyone',
  summary: 'Open a user account',
  input: { email: rules.email, password: rules.newPassword },
  output: nothing,
  message: 'Signed up',
  refusals: ['EMAIL_TAKEN', 'PASSWORD_TOO_COMMON', 'TOO_MANY_ATTEMPTS', 'BUSY'],
})

export const signOut = defineCall({
  path: '/api/v1/auth/signout',
  access: 'user',
  summary: 'End this session',
  input: {},
  output: nothing,
  message: 'Signed out',
})

interface PasswordChange {
  oldPassword: string
  newPassword: string
}

const isAnotherPassword: z.core.CheckFn<PasswordChange> = ({ value, issues }) => {
  if (value.newPassword === value.oldPassword)
    issues.push({ code: 'custom', path: ['newPassword'], message: 'otherPassword', input: value })
}

export const changePassword = defineCall({
  path: '/api/v1/auth/changepassword',
  access: 'user',
  summary: 'Change the password; every other session ends',
  input: { oldPassword: rules.signInPassword, newPassword: rules.newPassword },
  check: isAnotherPassword,
  output: nothing,
  message: 'Password changed',
  refusals: ['WRONG_CREDENTIALS', 'PASSWORD_TOO_COMMON', 'TOO_MANY_ATTEMPTS', 'BUSY'],
})

export const getUser = defineCall({
  path: '/api/v1/auth/getuser',
  access: 'user',
  summary: 'Who is signed in',
  input: {},
  output: one(
    z.object({
      userEmail: z.string(),
      userLevel: z.number(),
      ...beyondSpec({ userPhone: z.nullable(z.string()), userContact: z.string() }),
    }),
  ),
})

export const setContact = defineCall({
  path: '/api/v1/auth/setcontact',
  access: 'user',
  summary: "Set what one's customers are told to ask for help; '' for the operator's contact",
  input: { userContact: rules.contact },
  output: one(z.object({ userContact: z.string() })),
  message: 'Contact changed',
})

export const session = z.object({
  sessionId: z.string(),
  sessionCreatedDate: z.string(),
  sessionLastSeenDate: z.string(),
  sessionUserAgent: z.string(),
  sessionAddress: z.string(),
  sessionIsCurrent: z.boolean(),
})

export const getSessions = defineCall({
  path: '/api/v1/auth/getsessions',
  access: 'user',
  summary: 'Own open sessions',
  input: {},
  output: list(session),
})

export const revokeSession = defineCall({
  path: '/api/v1/auth/revokesession',
  access: 'user',
  summary: 'End one of the own sessions',
  input: { sessionId: rules.uuid },
  output: nothing,
  message: 'Session ended',
  refusals: ['RESOURCE_NOT_FOUND'],
})
