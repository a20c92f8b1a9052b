import type { HostKind } from '@kelid/contract'
import { useRead } from '../../../shared/reads/query.ts'
import { kinds } from './kinds.ts'

export function useHostLog(kind: HostKind, uuid: string, runUUID?: string, options?: { isEnabled: boolean }) {
  const { log, target } = kinds[kind]
  const { data, error, isPending, isFetching, dataUpdatedAt, refetch } = useRead(
    log,
    { ...target(uuid), ...(runUUID && { runUUID }) },
    options,
  )
  return {
    data,
    error,
    isPending,
    isFetching,
    readAt: dataUpdatedAt,
    /** Cancelling the running read on every event would mean that none ever finishes. */
    refetch: () => void refetch({ cancelRefetch: false }),
  }
}
