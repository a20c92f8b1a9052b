import * as z from 'zod/mini'
import { limits } from './limits.ts'
import { lowerCase, patterns, textRule, wholeRule } from './rules.ts'

const httpsAddress = /^https:\/\/[A-Za-z0-9.-]+(?::\d{1,5})?(?:\/[A-Za-z0-9._~/-]*)?$/

/** Separate from the other administrators' rules, because a small screen needs only these. */
export const settingRules = {
  rate: wholeRule('rate', 1, limits.rateMax),
  price: wholeRule('price', 0, limits.pricePerDayMax),
  devices: wholeRule('devices', 1, limits.devicesMax),
  firstUseDays: wholeRule('days', limits.daysMin, limits.firstUseDaysMax),
  minutes: wholeRule('minutes', 0, limits.minutesMax),
  ways: wholeRule('ways', 1, limits.waysMax),
  httpsAddress: textRule('httpsAddress', limits.reasonMax, httpsAddress).check(
    z.refine((value) => URL.canParse(value), 'httpsAddress'),
  ),
  emailOrNone: textRule('email', limits.signInTextMax, new RegExp(`^$|${patterns.email.source}`)).check(
    lowerCase,
  ),
} as const
