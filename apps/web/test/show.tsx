import type { Language } from '@kelid/contract'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { I18nextProvider } from 'react-i18next'
import { MemoryRouter } from 'react-router'
import { wordsIn } from '../src/app/all-words.ts'
import { createI18n } from '../src/app/i18n.ts'
import { languageStore } from '../src/lib/current-language.ts'
import { NoticeArea } from '../src/ui/notice.tsx'

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
