import { day } from '@kelid/contract'
import type { Db } from '../../db/database.ts'
import * as store from './abuse.store.ts'

/**
 * Reports of a host may stop, and refuse devices of, at most this share of its accounts in ten minutes, at least two and
 * at most ten, and five times as many in a day. Beyond that its reports are probably false.
 */
const stopsShare = 0.05
const stopsMin = 2
const stopsMax = 10
const stopsWithin = 10 * 60_000
const stopsTimesADay = 5

export const stopsAllowed = (accounts: number): number =>
  Math.min(stopsMax, Math.max(stopsMin, Math.floor(accounts * stopsShare)))

/** Whether reports of the host may do this to one more account; an account counts once a day. */
export async function openLimit(tx: Db, hostUUID: string, act: store.Act, now: Date) {
  const allowed = stopsAllowed(await store.countAccounts(tx, hostUUID))
  const today = new Map(
    (await store.actedOn(tx, hostUUID, act, new Date(now.getTime() - day))).map((row) => [
      row.account_uuid,
      row.at,
    ]),
  )
  const countRecent = () =>
    [...today.values()].filter((at) => at.getTime() > now.getTime() - stopsWithin).length
  return {
    mayTake: (id: string): boolean =>
      today.has(id) || (countRecent() < allowed && today.size < stopsTimesADay * allowed),
    take: (id: string): void => void today.set(id, today.get(id) ?? now),
  }
}
