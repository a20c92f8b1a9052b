import type { Account } from '@kelid/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { BulkAction } from '../list/bulk-actions.ts'
import { type Failure, forEachAccount, workOf } from './bulk.ts'
import { touchedByCharge } from './use-renewal.ts'

/** One press, many calls: how far it is, what is done for good and what failed. */
export function useBulk(action: BulkAction) {
  const client = useQueryClient()
  const isRunning = useRef(false)
  const [percent, setPercent] = useState<number | null>(null)
  const [done, setDone] = useState<readonly Account[]>([])
  const [failed, setFailed] = useState<readonly Failure[] | null>(null)

  async function run(accounts: readonly Account[], days: number) {
    if (isRunning.current) return null
    isRunning.current = true
    setPercent(0)
    const result = await forEachAccount(
      accounts,
      (account) => workOf[action](client, account, days),
      (count) => setPercent((100 * count) / accounts.length),
    )
    const all = [...done, ...result.done]
    setDone(all)
    setFailed(result.failed)
    setPercent(null)
    isRunning.current = false
    for (const { path } of touchedByCharge) void client.invalidateQueries({ queryKey: [path] })
    return { done: all, failed: result.failed }
  }

  return { run, percent, done, failed }
}
