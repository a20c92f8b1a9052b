import { isDeepStrictEqual } from 'node:util'
import { Refusal } from '@kelid/contract'

/** Refuses a decision that is based on outdated values. Omitted values are not compared. */
export function requireAsSeen(
  seenValues: Readonly<Record<string, unknown>> | undefined,
  now: Readonly<Record<string, unknown>>,
): void {
  const hasChanged = Object.entries(seenValues ?? {}).some(
    ([name, value]) => value !== undefined && !isDeepStrictEqual(value, now[name]),
  )
  if (hasChanged) throw new Refusal('CHANGED_MEANWHILE')
}

type Value = string | number | boolean | null

export function fromTo(
  before: Readonly<Record<string, Value>>,
  after: Readonly<Record<string, Value>>,
): Record<string, Value> {
  const changedNames = Object.keys(after).filter((name) => before[name] !== after[name])
  return Object.fromEntries(
    changedNames.flatMap((name) => [
      [`from.${name}`, before[name] ?? null],
      [`to.${name}`, after[name] ?? null],
    ]),
  )
}
