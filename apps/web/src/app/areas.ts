import type { Namespace } from '../lib/words.ts'

const withReads = ['app', 'calls', 'shared'] as const

/**
 * Who a screen is for. The area's folder is also where its words are, and what the service worker keeps; beside its own
 * an area uses the words of what it stands on.
 */
export const areas = {
  visitor: ['app'],
  reseller: withReads,
  admin: withReads,
} as const satisfies Record<string, readonly Namespace[]>

export type Area = keyof typeof areas

/** Its screens show what calls answered, kept up to date. */
export const hasReads = (area: Area): boolean => areas[area] === withReads
