import { RefusedByServer } from '@kelid/contract'
import { lookUp, type Translate } from '../lib/look-up.ts'
import { notify } from '../lib/notices.ts'
import { Unreachable } from './api.ts'

export interface Explanation {
  readonly text: string
  readonly autoHide: boolean
}

/** What went wrong in the user's language; the server's own words where there is no translation. */
export function explain(t: Translate, error: unknown): Explanation {
  if (error instanceof RefusedByServer) {
    // Not as a default of the translation, which would look for words to fill in.
    const text = lookUp(t, `errors.${error.type}`, error.parameters) || error.message
    return { text, autoHide: error.autoHide }
  }
  if (error instanceof Unreachable) return { text: lookUp(t, 'errors.UNREACHABLE'), autoHide: true }
  const detail = error instanceof Error ? error.message : String(error)
  return { text: lookUp(t, 'errors.UNEXPECTED', { detail }), autoHide: false }
}

export function notifyError(t: Translate, error: unknown): void {
  const { text, autoHide } = explain(t, error)
  notify(text, 'error', autoHide)
}
