import {
  type Call,
  commonRefusals,
  getAccount,
  getStatement,
  getUserAccounts,
  getUserCredit,
  getUserDebt,
  type Language,
  languageFacts,
  signIn,
  signUp,
} from '@kelid/contract'
import { prerender } from 'react-dom/static.edge'
import { I18nextProvider } from 'react-i18next'
import { StaticRouter } from 'react-router'
import { accountsAtOnce, everyAccount, filterBody } from '../features/accounts/account-filter.ts'
import { latest } from '../features/statement/latest-movements.tsx'
import { entriesAtOnce } from '../features/statement/statement.tsx'
import { type Body, fieldsOf } from '../lib/api.ts'
import { languageStore } from '../lib/current-language.ts'
import { createI18n } from '../lib/i18n.ts'
import { queryClient } from '../lib/query.ts'
import { sessionStore } from '../lib/session.ts'
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

/** Useful before any JavaScript arrives: the address, the file of its screen, its words. */
export const prerendered = [
  { path: paths.home, file: 'home-screen', keys: [...shellWords, 'home'] },
  { path: paths.signIn, file: 'sign-in-screen', keys: formWords },
  { path: paths.signUp, file: 'sign-up-screen', keys: formWords },
]

/** A call as the page makes it by itself; `first-calls.js` knows the language, and the last part of the address. */
const asked = <C extends Call>({ path }: C, body: Body<C>) => ({ path, fields: fieldsOf(body, '{lng}') })
const balances = [asked(getUserCredit, {}), asked(getUserDebt, {})]
const accounts = asked(getUserAccounts, { ...filterBody(everyAccount), limit: accountsAtOnce })

/**
 * A picture of the screen while it loads until the client runs, and naming all that it will ask for, so that nothing waits
 * for what names it: the address (`index`) or whatever is right below it (`any`), the file of its screen, and its first
 * calls. The settings have no picture: what they show is known to the browser alone.
 */
export const shells = [
  { path: paths.settings, base: 'index', file: 'settings-area', calls: [], isPictured: false },
  { path: paths.dashboard, base: 'index', file: 'lists', calls: [...balances, asked(getStatement, latest)] },
  { path: paths.accounts, base: 'index', file: 'lists', calls: [accounts, ...balances] },
  {
    path: paths.accounts,
    base: 'any',
    file: 'account-screen',
    calls: [asked(getAccount, { accountUUID: '{place}' })],
  },
  { path: paths.newAccount, base: 'index', file: 'new-account-screen', calls: [] },
  {
    path: paths.statement,
    base: 'index',
    file: 'lists',
    calls: [asked(getStatement, { limit: entriesAtOnce })],
  },
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

export async function renderPage(
  path: string,
  language: Language,
  { given = words[language], isSignedIn = false }: { given?: object; isSignedIn?: boolean } = {},
) {
  languageStore.set(language)
  sessionStore.set(isSignedIn ? { token: '' } : null)
  const i18n = createI18n(language, given)
  const errors: unknown[] = []
  const { prelude } = await prerender(
    <I18nextProvider i18n={i18n}>
      <StaticRouter location={path}>
        <AppRoutes />
      </StaticRouter>
    </I18nextProvider>,
    { onError: (error) => void errors.push(error) },
  )
  // What was asked for waits a day to be forgotten, and the build with it.
  queryClient.clear()
  if (errors.length > 0) throw new AggregateError(errors, `${path} cannot be drawn ahead of time`)
  return {
    html: await new Response(prelude).text(),
    dir: languageFacts[language].dir,
    title: i18n.t('meta.title'),
    description: i18n.t('meta.description'),
  }
}
