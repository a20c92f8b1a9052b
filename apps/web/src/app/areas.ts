import type { Namespace } from '../lib/words.ts'

/**
 * Who a screen is for. The area's folder is also where its words are, and what the service worker keeps; beside its own
 * an area uses the words of what it stands on. `hasReads`: its screens show what calls answered, kept up to date.
 */
export const areas = {
  visitor: { words: ['app', 'visitor'], hasReads: false },
  reseller: { words: ['app', 'calls', 'shared', 'reseller'], hasReads: true },
  admin: { words: ['app', 'calls', 'shared', 'admin'], hasReads: true },
} as const satisfies Record<string, { words: readonly Namespace[]; hasReads: boolean }>

export type Area = keyof typeof areas
