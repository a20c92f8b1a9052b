import type { Language } from '@kelid/contract'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, configure, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { I18nextProvider } from 'react-i18next'
import { MemoryRouter } from 'react-router'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { wordsIn } from '../src/app/all-words.ts'
import { createI18n } from '../src/app/i18n.ts'
import { languageStore } from '../src/lib/current-language.ts'
import { resetNotice } from '../src/lib/notices.ts'
import { NoticeArea } from '../src/ui/notice.tsx'
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

export function useTestApi(): void {
  beforeAll(() => api.listen({ onUnhandledFrame: 'error' }))
  afterEach(() => {
    cleanup()
    api.resetHandlers()
    sentCalls.length = 0
    resetNotice()
  })
  afterAll(() => api.close())
}

export function show(piece: ReactNode, { language = 'en' as Language, at = '/' } = {}) {
  languageStore.set(language)
  const client = new QueryClient({
    defaultOptions: {
      queries: { retry: false, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
  })
  const view = render(
    <I18nextProvider i18n={createI18n(language, wordsIn(language))}>
      <QueryClientProvider client={client}>
        <MemoryRouter initialEntries={[at]}>
          <NoticeArea />
          {piece}
        </MemoryRouter>
      </QueryClientProvider>
    </I18nextProvider>,
  )
  return { ...view, client }
}
