import { RefusedByServer } from '@kelid/contract'
import type { TFunction } from 'i18next'
import { Unreachable } from './api.ts'
import { notify } from './notices.ts'

export interface Explanation {
  readonly text: string
  readonly autoHide: boolean
}

/** What went wrong in the user's language; the server's own words where there is no translation. */
export function explain(t: TFunction, error: unknown): Explanation {
  if (error instanceof RefusedByServer) {
    const known = t(`errors.${error.type}` as 'errors.INTERNAL', { ...error.parameters, defaultValue: '' })
    // Not as a default of the translation, which would look for words to fill in.
    return { text: known || error.message, autoHide: error.autoHide }
  }
  if (error instanceof Unreachable) return { text: t('errors.UNREACHABLE'), autoHide: true }
  return {
    text: t('errors.UNEXPECTED', { detail: error instanceof Error ? error.message : String(error) }),
    autoHide: false,
  }
}

export function notifyError(t: TFunction, error: unknown): void {
  const { text, autoHide } = explain(t, error)
  notify(text, 'error', autoHide)
}
