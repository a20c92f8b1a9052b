import * as z from 'zod/mini'

/** Counts by key. `z.record` would enlarge every visitor's bundle. */
export const counts = <Key extends string>(keys: readonly Key[]) =>
  z.object(Object.fromEntries(keys.map((key) => [key, z.number()])) as Record<Key, z.ZodMiniNumber>)
