import * as z from 'zod/mini'
import { adminRules } from './admin-rules.ts'
import { defineCall, list } from './call.ts'

export const findingKinds = ['user', 'account', 'server', 'tunnel'] as const
export type FindingKind = (typeof findingKinds)[number]

export const finding = z.object({
  kind: z.enum(findingKinds),
  id: z.string(),
  title: z.string(),
  detail: z.string(),
})
export type Finding = z.output<typeof finding>

export const searchEverywhere = defineCall({
  path: '/api/v1/admin/search',
  access: 'admin',
  summary:
    'Users by e-mail or phone, accounts by name, UUID, subscription link or import link, servers and tunnels by name, address or UUID; the most exact first',
  input: { search: adminRules.searchEverywhere },
  output: list(finding),
})
