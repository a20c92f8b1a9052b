import type { HostKind } from '@kelid/contract'
import { useLiveReads } from '../../kit/use-live-reads.ts'
import { kinds } from '../host/kinds.ts'

export const useLiveHost = (kind: HostKind, uuid: string): void =>
  useLiveReads(
    kinds[kind].stale,
    (event) =>
      (event.type === 'server' && event.serverUUID === uuid) ||
      (event.type === 'tunnel' && event.tunnelUUID === uuid),
  )
