import type { HostKind, LiveEvent } from '@kelid/contract'

/** It is in another state, or something else of it has changed. */
export const isAboutHost = (event: LiveEvent, kind: HostKind, uuid: string): boolean =>
  (event.type === 'server' && kind === 'server' && event.serverUUID === uuid) ||
  (event.type === 'tunnel' && kind === 'tunnel' && event.tunnelUUID === uuid)
