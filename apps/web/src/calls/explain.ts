import { RefusedByServer } from '@kelid/contract'
import { lookUp, type Translate } from '../lib/look-up.ts'
import { notify } from '../lib/notices.ts'
import { Unreachable } from './api.ts'

export interface Explanation {
  readonly text: string
  readonly autoHide: boolean
}

/** An unfilled placeholder, in our syntax or in that of another server. */
const placeholder = /\{\{?\s*(\w+)[^{}]*\}\}?/g

/** Uses the server's text if a parameter is missing, so that nobody sees a placeholder. */
function textOf(t: Translate, { type, parameters, message }: RefusedByServer): string {
  const key = `errors.${type}`
  const placeholders = [...lookUp(t, key, { skipInterpolation: true }).matchAll(placeholder)]
  const translated = placeholders.every(([, name = '']) => name in parameters) && lookUp(t, key, parameters)
  return translated || message.replace(placeholder, (_, name: string) => String(parameters[name] ?? '…'))
}

export function explain(t: Translate, error: unknown): Explanation {
  if (error instanceof RefusedByServer) return { text: textOf(t, error), autoHide: error.autoHide }
  if (error instanceof Unreachable) return { text: lookUp(t, 'errors.UNREACHABLE'), autoHide: true }
  const detail = error instanceof Error ? error.message : String(error)
  return { text: lookUp(t, 'errors.UNEXPECTED', { detail }), autoHide: false }
}

export function notifyError(t: Translate, error: unknown): void {
  const { text, autoHide } = explain(t, error)
  notify(text, 'error', autoHide)
}
