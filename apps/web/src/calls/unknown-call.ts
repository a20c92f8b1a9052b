import { RefusedByServer } from '@kelid/contract'

/** A server that implements only spec.md does not know this call. */
export const isUnknownCall = (error: unknown): boolean =>
  error instanceof RefusedByServer && error.httpCode === 404
