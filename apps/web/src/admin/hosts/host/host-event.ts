import type { HostKind, LiveEvent } from '@kelid/contract'

export const isAboutHost = (event: LiveEvent, kind: HostKind, uuid: string): boolean =>
  (event.type === 'server' && kind === 'server' && event.serverUUID === uuid) ||
  (event.type === 'tunnel' && kind === 'tunnel' && event.tunnelUUID === uuid)
