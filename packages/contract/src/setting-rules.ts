import * as z from 'zod/mini'
import { limits } from './limits.ts'
import { lowerCase, patterns, textRule, wholeRule } from './rules.ts'

/** A name or an address, perhaps a port and a path: all that the address of an ACME directory is made of. */
const httpsAddress = /^https:\/\/[A-Za-z0-9.-]+(?::\d{1,5})?(?:\/[A-Za-z0-9._~/-]*)?$/

/** Of prices and rules of the house, which a small screen needs without all else that administrators send. */
export const settingRules = {
  rate: wholeRule('rate', 1, limits.rateMax),
  price: wholeRule('price', 0, limits.pricePerDayMax),
  devices: wholeRule('devices', 1, limits.devicesMax),
  httpsAddress: textRule('httpsAddress', limits.reasonMax, httpsAddress).check(
    z.refine((value) => URL.canParse(value), 'httpsAddress'),
  ),
  emailOrNone: textRule('email', limits.signInTextMax, new RegExp(`^$|${patterns.email.source}`)).check(
    lowerCase,
  ),
} as const
