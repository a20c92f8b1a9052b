import * as z from 'zod/mini'
import { defineCall, list, nothing, one, paging } from './call.ts'
import { rules } from './rules.ts'
import { statementEntry, statementFile } from './statement.ts'

export const signIn = defineCall({
  path: '/api/v1/auth/signin',
  access: 'anyone',
  summary: 'Sign in with e-mail and password',
  input: { email: rules.signInEmail, password: rules.signInPassword },
  output: one(z.object({ token: z.string() })),
  message: 'Signed in',
  refusals: ['WRONG_CREDENTIALS', 'TOO_MANY_ATTEMPTS', 'BUSY'],
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

export const changePassword = defineCall({
  path: '/api/v1/auth/changepassword',
  access: 'user',
  summary: 'Change the password; every other session ends',
  input: { oldPassword: rules.signInPassword, newPassword: rules.newPassword },
  output: nothing,
  message: 'Password changed',
  refusals: ['WRONG_CREDENTIALS', 'PASSWORD_TOO_COMMON', 'TOO_MANY_ATTEMPTS', 'BUSY'],
})

export const getUser = defineCall({
  path: '/api/v1/auth/getuser',
  access: 'user',
  summary: 'Who is signed in',
  input: {},
  output: one(z.object({ userEmail: z.string(), userLevel: z.number(), userPhone: z.nullable(z.string()) })),
})

export const getUserCredit = defineCall({
  path: '/api/v1/auth/getusercreditbytoken',
  access: 'user',
  summary: 'Own credit and tunnel credit',
  input: {},
  output: one(
    z.object({
      userCredit: z.number(),
      userCreditDollars: z.number(),
      userTunnelCredit: z.number(),
      userCreditRate: z.number(),
    }),
  ),
})

export const getUserDebt = defineCall({
  path: '/api/v1/auth/getuserdebtbytoken',
  access: 'user',
  summary: 'Own debt in dollars',
  input: {},
  output: one(z.object({ userDebt: z.number(), userDebtLimit: z.number() })),
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

export const getStatement = defineCall({
  path: '/api/v1/auth/getstatement',
  access: 'user',
  summary: 'Own ledger entries, newest first',
  input: { ...paging },
  output: list(statementEntry),
})

export const getStatementFile = defineCall({
  path: '/api/v1/auth/getstatementfile',
  access: 'user',
  summary: 'Own ledger entries as a CSV file',
  input: {},
  output: one(statementFile),
})
