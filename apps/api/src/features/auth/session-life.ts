import { day, isAdminLevel, limits } from '@kelid/contract'

const minute = 60_000
const hour = 60 * minute

export const lifeOf = (level: number): { idle: number; absolute: number } =>
  isAdminLevel(level)
    ? { idle: 30 * minute, absolute: 12 * hour }
    : { idle: 24 * hour, absolute: limits.sessionDays * day }

/** Updating the last use on every request would double its cost. */
export const touchAfter = minute

interface Times {
  created_at: Date
  last_seen_at: Date
  level: number
}

export function isAlive({ created_at, last_seen_at, level }: Times, now: Date): boolean {
  const { idle, absolute } = lifeOf(level)
  return now.getTime() - created_at.getTime() < absolute && now.getTime() - last_seen_at.getTime() < idle
}
