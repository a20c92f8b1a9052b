import { RefusedByServer } from '@kelid/contract'

/** The server keeps spec.md and does not know this call: what it would have shown is left out. */
export const isUnknownCall = (error: unknown): boolean =>
  error instanceof RefusedByServer && error.httpCode === 404
