import { commonRefusals, type Language, signIn, signUp } from '@kelid/contract'
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

const shellWords = ['meta', 'ui', 'shell', 'notFound', 'failure', 'client.chunkFailed']
const formWords = [
  ...shellWords,
  'auth',
  ...[...commonRefusals, ...signIn.refusals, ...signUp.refusals, 'UNREACHABLE', 'UNEXPECTED'].map(
    (type) => `errors.${type}`,
  ),
  'rules.email',
  'rules.password',
  'client.incompleteInformation',
]

/** Useful before any JavaScript arrives: the address, the module of its screen where the entry lacks it, its words. */
export const prerendered = [
  { path: paths.home, screen: null, keys: [...shellWords, 'home'] },
  { path: paths.signIn, screen: 'src/screens/sign-in-screen.tsx', keys: formWords },
  { path: paths.signUp, screen: 'src/screens/sign-up-screen.tsx', keys: formWords },
]

/** Some of the words, in the shape of all of them. */
export function pickWords(language: Language, keys: readonly string[]): object {
  const picked: Record<string, unknown> = {}
  for (const key of keys) {
    const [group = '', name] = key.split('.')
    const all = (words[language] as Record<string, unknown>)[group]
    picked[group] = name
      ? { ...(picked[group] as object), [name]: (all as Record<string, unknown>)[name] }
      : all
  }
  return picked
}

export async function renderPage(path: string, language: Language, given: object = words[language]) {
  languageStore.set(language)
  const i18n = createI18n(language, given)
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
    description: i18n.t('meta.description'),
  }
}
