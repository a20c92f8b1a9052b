import type { Namespace } from '../lib/words.ts'

const withReads = ['app', 'calls', 'shared'] as const

/**
 * An area's folder holds its words and decides what the service worker caches; the listed namespaces are shared ones
 * that it needs.
 */
export const areas = {
  visitor: ['app'],
  reseller: withReads,
  admin: withReads,
} as const satisfies Record<string, readonly Namespace[]>

export type Area = keyof typeof areas

export const hasReads = (area: Area): boolean => areas[area] === withReads
