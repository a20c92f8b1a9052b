import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { resetNotice } from '../src/lib/notices.ts'
import { api, sentCalls } from './answers.ts'

// A shared machine may stall for seconds; waiting ends as soon as the condition holds.
configure({ asyncUtilTimeout: 10_000 })

/** jsdom has no modal dialogs; like a browser, this one fires `close` later. */
HTMLDialogElement.prototype.showModal = function showModal() {
  this.open = true
}
HTMLDialogElement.prototype.close = function close() {
  if (!this.open) return
  this.open = false
  queueMicrotask(() => this.dispatchEvent(new Event('close')))
}
/** jsdom has no layout, so nothing is ever resized. */
globalThis.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
}

beforeAll(() => api.listen({ onUnhandledFrame: 'error' }))
afterEach(() => {
  cleanup()
  api.resetHandlers()
  sentCalls.length = 0
  resetNotice()
})
afterAll(() => api.close())
