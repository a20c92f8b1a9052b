import * as z from 'zod/mini'
import { defineCall, list } from './call.ts'

/** countryId is the ISO 3166-1 number, 0 for none; the flag is a path on this server. */
export const country = z.object({
  countryId: z.number(),
  countryCode: z.string(),
  countryName: z.string(),
  countryFlag: z.string(),
})
export type Country = z.output<typeof country>

export const getCountries = defineCall({
  path: '/api/v1/servers/countries',
  access: 'user',
  summary: 'All countries, named in the language of the request',
  input: {},
  output: list(country),
})
