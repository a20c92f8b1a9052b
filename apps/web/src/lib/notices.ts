import { timings } from '@kelid/contract'
import { createStore } from './store.ts'

export type Severity = 'success' | 'info' | 'warning' | 'error'

export interface Notice {
  readonly id: number
  readonly text: string
  readonly severity: Severity
  /** Hides after six seconds; otherwise it has a close button. */
  readonly autoHide: boolean
}

export const noticeStore = createStore<Notice | null>(null)

let lastId = 0
let timer: ReturnType<typeof setTimeout> | undefined

export function notify(text: string, severity: Severity, autoHide = true): void {
  clearTimeout(timer)
  lastId += 1
  noticeStore.set({ id: lastId, text, severity, autoHide })
  if (autoHide) timer = setTimeout(() => noticeStore.set(null), timings.notificationMs)
}

export function resetNotice(): void {
  clearTimeout(timer)
  noticeStore.set(null)
}
