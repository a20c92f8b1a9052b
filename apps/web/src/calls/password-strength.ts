import { patterns } from '@kelid/contract'
import type { Strength } from '../ui/password/password-strength.tsx'

const kinds = [patterns.hasDigit, patterns.hasUpper, patterns.hasLower, patterns.hasSpecial]

/** Only a hint: length counts most, variety second. */
export const strengthOf = (password: string): Strength => {
  const variety = new Set(password).size
  if (!kinds.every((kind) => kind.test(password)) || variety < 8) return 'weak'
  return password.length >= 14 && variety >= 10 ? 'strong' : 'fair'
}
