import * as z from 'zod/mini'
import { defineCall, one } from './call.ts'
import { dnsProviders, readDnsCredentials } from './dns-providers.ts'
import { limits } from './limits.ts'
import { textRule } from './rules.ts'

/** An empty name if none is stored. The values of the variables are never shown again. */
const dnsProviderInUse = z.object({ dnsProvider: z.string(), dnsVariables: z.array(z.string()) })

export const getDnsProvider = defineCall({
  path: '/api/v1/admin/getdnsprovider',
  access: 'admin',
  summary: 'DNS provider for certificates by DNS-01, and the names of its variables',
  input: {},
  output: one(dnsProviderInUse),
})

export const setDnsProvider = defineCall({
  path: '/api/v1/admin/setdnsprovider',
  access: 'admin',
  summary: 'Set the DNS provider for certificates by DNS-01, with its credentials as NAME=value lines',
  input: {
    dnsProvider: z.enum(dnsProviders, 'choice'),
    dnsCredentials: textRule('dnsCredentials', limits.longTextMax),
  },
  check: ({ value, issues }) => {
    if (readDnsCredentials(value.dnsProvider, value.dnsCredentials)) return
    const [input, path] = [value.dnsCredentials, ['dnsCredentials']]
    issues.push({ code: 'custom', input, path, message: 'dnsCredentials' })
  },
  output: one(dnsProviderInUse),
  message: 'DNS provider saved',
  refusals: ['FORBIDDEN_TARGET'],
})
