import type { Language } from '@kelid/contract'
import { prerender } from 'react-dom/static.edge'
import { I18nextProvider } from 'react-i18next'
import { StaticRouter } from 'react-router'
import { languageStore } from '../lib/current-language.ts'
import { createI18n } from '../lib/i18n.ts'
import { languageFacts } from '../lib/languages.ts'
import en from '../locales/en.json'
import fa from '../locales/fa.json'
import { paths } from '../screens/paths.ts'
import { AppRoutes } from './routes.tsx'

const words: Record<Language, typeof en> = { en, fa }

/** Useful before any JavaScript arrives. */
export const prerenderedPaths = [paths.home, paths.signIn, paths.signUp] as const

export async function renderPage(path: string, language: Language) {
  languageStore.set(language)
  const i18n = createI18n(language, words[language])
  const { prelude } = await prerender(
    <I18nextProvider i18n={i18n}>
      <StaticRouter location={path}>
        <AppRoutes />
      </StaticRouter>
    </I18nextProvider>,
  )
  return {
    html: await new Response(prelude).text(),
    dir: languageFacts[language].dir,
    title: i18n.t('meta.title'),
  }
}
