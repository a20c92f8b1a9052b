import type { HostKind } from '@kelid/contract'

export interface Subject {
  readonly kind: HostKind
  readonly uuid: string
}

export const subjectBody = ({ kind, uuid }: Subject) =>
  kind === 'server' ? { serverUUID: uuid } : { tunnelUUID: uuid }
