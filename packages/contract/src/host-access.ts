import * as z from 'zod/mini'
import { adminRules } from './admin-rules.ts'
import { defineCall, one } from './call.ts'
import { seen, seenText } from './host-calls.ts'

/** How the product gets into its hosts, and how it recognises them. */
export const getSshKey = defineCall({
  path: '/api/v1/admin/getsshkey',
  access: 'admin',
  summary: "The public half of the product's own SSH key, for authorized_keys of a host",
  input: {},
  output: one(z.object({ sshKey: z.string(), sshKeyFingerprint: z.string() })),
})

const hostKey = z.object({
  /** As `ssh-keygen -l` shows it; '' before the first contact with its present address. */
  hostKeyFingerprint: z.string(),
  hostKeyDate: z.nullable(z.string()),
  /** The product's own key was put there, in place of a password. */
  hostKeyTrustsProduct: z.boolean(),
})

const hostKeyCall = {
  access: 'admin',
  summary: 'The SSH key by which it is recognised, and since when',
  output: one(hostKey),
  refusals: ['RESOURCE_NOT_FOUND'],
} as const

const acceptCall = {
  access: 'admin',
  summary: 'Forget the key by which it is recognised: the next run keeps that of whoever answers then',
  output: one(hostKey),
  message: 'The next run keeps the key that it finds',
  refusals: ['RESOURCE_NOT_FOUND', 'CHANGED_MEANWHILE'],
} as const
const basedOn = seen({ hostKeyFingerprint: seenText() })

export const getServerHostKey = defineCall({
  ...hostKeyCall,
  path: '/api/v1/servers/gethostkey',
  input: { serverUUID: adminRules.uuid },
})

export const acceptServerHostKey = defineCall({
  ...acceptCall,
  path: '/api/v1/servers/accepthostkey',
  input: { serverUUID: adminRules.uuid, basedOn },
})

export const getTunnelHostKey = defineCall({
  ...hostKeyCall,
  path: '/api/v1/tunnels/gethostkey',
  input: { tunnelUUID: adminRules.uuid },
})

export const acceptTunnelHostKey = defineCall({
  ...acceptCall,
  path: '/api/v1/tunnels/accepthostkey',
  input: { tunnelUUID: adminRules.uuid, basedOn },
})
