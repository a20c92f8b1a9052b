import { adminRules } from './admin-rules.ts'
import { defineCall, nothing } from './call.ts'

const hostTarget = { hostUUID: adminRules.uuid }

export const allowShrink = defineCall({
  path: '/api/v1/admin/allowshrink',
  access: 'admin',
  summary:
    'Let a host take a list that has lost many of its accounts: the next one that it takes, within ten minutes',
  input: hostTarget,
  output: nothing,
  message: 'Allowed',
  refusals: ['RESOURCE_NOT_FOUND'],
})

export const revokeNode = defineCall({
  path: '/api/v1/admin/revokenode',
  access: 'admin',
  summary:
    'Take back all certificates of a host, as when they were stolen; its agent is refused until the host is set up again',
  input: hostTarget,
  output: nothing,
  message: 'Certificates taken back',
  refusals: ['RESOURCE_NOT_FOUND'],
})
