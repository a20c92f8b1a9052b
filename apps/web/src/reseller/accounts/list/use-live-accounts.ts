import { getAccount, RefusedByServer } from '@kelid/contract'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { read } from '../../../calls/api.ts'
import { onLiveEvent } from '../../../shared/events/live-events.ts'
import { forgetLaterPages } from '../../../shared/reads/pages.ts'
import { dropAccount, isFarDown, putAccount } from '../account-cache.ts'

const waitMs = 500
/** Above this number, reading the list again is cheaper than reading each account. */
const maxSingleReads = 20

async function readAgain(client: QueryClient, accountUUID: string): Promise<void> {
  try {
    putAccount(client, await read(getAccount, { accountUUID }))
  } catch (error) {
    if (error instanceof RefusedByServer && error.type === 'RESOURCE_NOT_FOUND')
      dropAccount(client, accountUUID)
  }
}

/** A change refreshes the beginning of a list; rows further down are replaced one by one. */
export function useLiveAccounts(): void {
  const client = useQueryClient()
  useEffect(() => {
    const changed = new Set<string>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const putInPlace = () => {
      const farDown = [...changed].filter((accountUUID) => isFarDown(client, accountUUID))
      changed.clear()
      if (farDown.length > maxSingleReads) forgetLaterPages(client)
      else for (const accountUUID of farDown) void readAgain(client, accountUUID)
    }
    const leave = onLiveEvent((event) => {
      if (event.type === 'reset') forgetLaterPages(client)
      if (event.type !== 'account') return
      changed.add(event.accountUUID)
      clearTimeout(timer)
      timer = setTimeout(putInPlace, waitMs)
    })
    return () => {
      clearTimeout(timer)
      leave()
    }
  }, [client])
}
