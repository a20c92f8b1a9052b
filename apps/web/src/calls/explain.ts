import { RefusedByServer } from '@kelid/contract'
import { lookUp, type Translate } from '../lib/look-up.ts'
import { notify } from '../lib/notices.ts'
import { Unreachable } from './api.ts'

export interface Explanation {
  readonly text: string
  readonly autoHide: boolean
}

/** A place in a text that is still to be filled in, as we or other servers write it. */
const gap = /\{\{?\s*(\w+)[^{}]*\}\}?/g

/** In the user's language where all it takes is known, otherwise in the server's own words; nobody sees a gap. */
function textOf(t: Translate, { type, parameters, message }: RefusedByServer): string {
  const key = `errors.${type}`
  const gaps = [...lookUp(t, key, { skipInterpolation: true }).matchAll(gap)]
  const ours = gaps.every(([, name = '']) => name in parameters) && lookUp(t, key, parameters)
  return ours || message.replace(gap, (_, name: string) => String(parameters[name] ?? '…'))
}

/** What went wrong, for the person it went wrong for. */
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
