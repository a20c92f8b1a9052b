import type { HostKind } from '@kelid/contract'
import { useLiveReads } from '../../kit/use-live-reads.ts'
import { isAboutHost } from '../host/host-event.ts'
import { kinds } from '../host/kinds.ts'

export const useLiveHost = (kind: HostKind, uuid: string): void =>
  useLiveReads(kinds[kind].stale, (event) => isAboutHost(event, kind, uuid))
