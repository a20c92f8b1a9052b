import * as z from 'zod/mini'
import { beyondSpec } from './beyond-spec.ts'
import { defineCall, list } from './call.ts'
import { tunnelTypes, vpnTypes } from './vpn-catalogue.ts'

const nameAndFlag = { countryName: z.string(), countryFlag: z.string() }
const countryId = z.number()
const countryCode = z.string()

/** countryId is the ISO 3166-1 number, 0 for none; the flag is a path on this server. */
export const country = z.object({ countryId, countryCode, ...nameAndFlag })
export type Country = z.output<typeof country>

/** spec.md names fewer fields for an account's country than for the list of countries. */
export const accountCountry = z.object({ ...nameAndFlag, ...beyondSpec({ countryId, countryCode }) })

const countryOffer = z.object({
  accountVPNType: z.enum(vpnTypes),
  accountTunnelType: z.enum([...tunnelTypes, '']),
})
export type CountryOffer = z.output<typeof countryOffer>

export const getCountries = defineCall({
  path: '/api/v1/servers/countries',
  access: 'user',
  summary: 'All countries, named in the language of the request',
  input: {},
  output: list(
    z.object({
      countryId,
      ...nameAndFlag,
      ...beyondSpec({ countryCode }),
      countryOffers: z.optional(z.array(countryOffer)),
    }),
  ),
})
