import { day } from '@kelid/contract'

export const utcDayOf = (now: Date): number => now.getTime() - (now.getTime() % day)

/** Midnight UTC before the last `days`, today included. */
export const firstOfDays = (now: Date, days: number): Date => new Date(utcDayOf(now) - (days - 1) * day)
