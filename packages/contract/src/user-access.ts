import * as z from 'zod/mini'
import { adminRules } from './admin-rules.ts'
import { session } from './auth.ts'
import { defineCall, list, nothing, one } from './call.ts'
import { userDetail, userTarget } from './users.ts'

export const setUserSuspended = defineCall({
  path: '/api/v1/admin/setusersuspended',
  access: 'admin',
  summary:
    'Keep a user out, or let them in again. closeAccounts closes their open accounts with it; those are opened again when it is false or the suspension ends',
  input: {
    ...userTarget,
    userSuspended: adminRules.boolean,
    closeAccounts: z.optional(adminRules.boolean),
    reason: adminRules.reason,
    basedOn: z.optional(adminRules.boolean),
  },
  output: one(userDetail),
  message: 'User changed',
  refusals: ['RESOURCE_NOT_FOUND', 'OWN_SUSPENSION', 'LAST_ADMIN', 'CHANGED_MEANWHILE'],
})

export const clearUserContact = defineCall({
  path: '/api/v1/admin/clearusercontact',
  access: 'admin',
  summary: "Clear a user's contact, so that their customers see the operator's; the user may set another one",
  input: { ...userTarget, basedOn: z.optional(adminRules.contact) },
  output: one(userDetail),
  message: 'User changed',
  refusals: ['RESOURCE_NOT_FOUND', 'CHANGED_MEANWHILE'],
})

export const resetUserPassword = defineCall({
  path: '/api/v1/admin/resetuserpassword',
  access: 'admin',
  summary: 'Give a user a random password, shown only once; their sessions end',
  input: userTarget,
  output: one(z.object({ userEmail: z.string(), password: z.string() })),
  message: 'Password replaced',
  refusals: ['RESOURCE_NOT_FOUND', 'BUSY'],
})

export const getUserSessions = defineCall({
  path: '/api/v1/admin/getusersessions',
  access: 'admin',
  summary: 'Open sessions of a user',
  input: userTarget,
  output: list(session),
  refusals: ['RESOURCE_NOT_FOUND'],
})

export const endUserSessions = defineCall({
  path: '/api/v1/admin/endusersessions',
  access: 'admin',
  summary: 'End one session of a user, or without sessionId all of them',
  input: { ...userTarget, sessionId: z.optional(adminRules.uuid) },
  output: nothing,
  message: 'Sessions ended',
  refusals: ['RESOURCE_NOT_FOUND'],
})
