import { limits } from './limits.ts'
import { wholeRule } from './rules.ts'

/** Of prices and rules of the house, which a small screen needs without all else that administrators send. */
export const settingRules = {
  rate: wholeRule('rate', 1, limits.rateMax),
  price: wholeRule('price', 0, limits.pricePerDayMax),
  devices: wholeRule('devices', 1, limits.devicesMax),
} as const
