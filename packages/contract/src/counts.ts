import * as z from 'zod/mini'

/** How many of each. An object of its keys: `z.record` would travel with everybody's rules. */
export const counts = <Key extends string>(keys: readonly Key[]) =>
  z.object(Object.fromEntries(keys.map((key) => [key, z.number()])) as Record<Key, z.ZodMiniNumber>)
