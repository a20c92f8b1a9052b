import * as z from 'zod/mini'
import { accountStarts, dataResets } from './accounts.ts'
import { tunnelTypes, vpnTypes } from './vpn-catalogue.ts'

/** What a plan sells, in the fields of an account that is bought without one. */
export const planTerms = {
  planUUID: z.string(),
  /** Grows with each change; a purchase names the one that was quoted. */
  planRevision: z.number(),
  accountDuration: z.number(),
  /** In GB of each period; null: no limit. */
  accountDataLimit: z.nullable(z.number()),
  accountDataReset: z.enum(dataResets),
  accountStart: z.enum(accountStarts),
  /** null: the default of the settings. */
  accountMaxDevices: z.nullable(z.number()),
  planPoints: z.number(),
  planTunnelCredit: z.number(),
}

/** countryId 0: any location. */
export const planWay = z.object({
  accountVPNType: z.enum(vpnTypes),
  accountTunnelType: z.enum([...tunnelTypes, '']),
  countryId: z.number(),
})
export type PlanWay = z.output<typeof planWay>
