import type pg from 'pg'
import { Client } from './client.ts'

export type { ClientConfig } from 'pg'

export interface Listening {
  close(): Promise<void>
}

export interface Listener {
  /** Also called without a payload after every reconnection, because notices in between are lost. */
  onNotice(payload?: string): void
  onTrouble(reason: string): void
}

const retryAfter = 1_000

export async function listenTo(
  connection: pg.ClientConfig,
  channel: string,
  { onNotice, onTrouble }: Listener,
): Promise<Listening> {
  let isClosed = false
  let client: Client | null = null
  let retry: NodeJS.Timeout | undefined

  const again = () => {
    client = null
    if (!isClosed) retry = setTimeout(() => void open(), retryAfter)
  }

  async function open(): Promise<void> {
    const next = new Client(connection)
    next.on('notification', ({ payload }) => onNotice(payload))
    next.on('error', (error) => onTrouble(error.message))
    try {
      await next.connect()
      await next.query(`LISTEN ${channel}`)
    } catch (error) {
      onTrouble((error as Error).message)
      await next.end().catch(() => {})
      return again()
    }
    client = next
    next.once('end', again)
    onNotice()
  }

  await open()
  return {
    async close() {
      isClosed = true
      clearTimeout(retry)
      await client?.end().catch(() => {})
    },
  }
}
