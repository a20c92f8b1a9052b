import * as z from 'zod/mini'
import { adminRules } from './admin-rules.ts'
import { defineCall, one } from './call.ts'
import { seen, seenText } from './host-calls.ts'

export const getSshKey = defineCall({
  path: '/api/v1/admin/getsshkey',
  access: 'admin',
  summary: "The product's public SSH key, for authorized_keys of a host",
  input: {},
  output: one(z.object({ sshKey: z.string(), sshKeyFingerprint: z.string() })),
})

const hostKey = z.object({
  /** As `ssh-keygen -l` shows it; '' before the first contact with the present address. */
  hostKeyFingerprint: z.string(),
  hostKeyDate: z.nullable(z.string()),
  /** The product's SSH key was installed in place of a password. */
  hostKeyTrustsProduct: z.boolean(),
})

const target = { hostUUID: adminRules.uuid }

export const getHostKey = defineCall({
  path: '/api/v1/hosts/gethostkey',
  access: 'admin',
  summary: 'The pinned SSH key of a host, and since when',
  input: target,
  output: one(hostKey),
  refusals: ['RESOURCE_NOT_FOUND'],
})

export const acceptHostKey = defineCall({
  path: '/api/v1/hosts/accepthostkey',
  access: 'admin',
  summary: 'Unpin the SSH key of a host; the next run pins the key that it finds',
  input: { ...target, basedOn: seen({ hostKeyFingerprint: seenText() }) },
  output: one(hostKey),
  message: 'The next run keeps the key that it finds',
  refusals: ['RESOURCE_NOT_FOUND', 'CHANGED_MEANWHILE'],
})
