import { isDeepStrictEqual } from 'node:util'
import { Refusal } from '@kelid/contract'

/** Whoever decided by what they were shown changes that, or nothing when it is no longer so. */
export function requireUnchanged<Value>(basedOn: Value | undefined, now: Value): void {
  if (basedOn !== undefined && !isDeepStrictEqual(basedOn, now)) throw new Refusal('CHANGED_MEANWHILE')
}
