import * as z from 'zod/mini'
import { adminRules } from './admin-rules.ts'
import { defineCall, list, one, paging } from './call.ts'
import { hostHealths } from './host-calls.ts'
import { run } from './host-upkeep.ts'
import { hostKinds, hostStates } from './hosts.ts'

const service = z.object({
  hostUUID: z.string(),
  hostKind: z.enum(hostKinds),
  hostName: z.string(),
  hostURL: z.string(),
  /** A VPN type, with a tunnel type if customers come through one; or the type of the tunnel. */
  hostType: z.string(),
  hostState: z.enum(hostStates),
  hostPaused: z.boolean(),
  hostHealth: z.enum(hostHealths),
  hostAccounts: z.number(),
  hostMaxAccounts: z.number(),
  /** None where tunnels come by SSH. */
  ports: z.array(z.object({ network: z.enum(['tcp', 'udp']), first: z.number(), last: z.number() })),
})

export const getMachine = defineCall({
  path: '/api/v1/machines/getmachine',
  access: 'admin',
  summary: 'The hosts at an address, which share a machine and its SSH access; none if it is a new one',
  input: { machineIPV4: adminRules.ipv4 },
  output: one(
    z.object({ machineIPV4: z.string(), machineSSHPort: z.nullable(z.number()), services: z.array(service) }),
  ),
})

export const getMachineRuns = defineCall({
  path: '/api/v1/machines/getruns',
  access: 'admin',
  summary: 'The runs at an address, also of hosts that have left it, newest first; they take turns there',
  input: { machineIPV4: adminRules.ipv4, ...paging },
  output: list(
    z.extend(run, {
      hostUUID: z.string(),
      hostKind: z.enum(hostKinds),
      /** '' if the host was removed. */
      hostName: z.string(),
    }),
  ),
})
