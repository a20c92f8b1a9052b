import {
  type Call,
  fallbackLanguage,
  getAccount,
  getStatement,
  getUser,
  getUserAccounts,
  getUserCredit,
  getUserDebt,
  type Language,
  languageFacts,
  languages,
} from '@kelid/contract'
import type { ReactNode } from 'react'
import { prerender } from 'react-dom/static.edge'
import { I18nextProvider } from 'react-i18next'
import { Route as RouteAt, Routes, StaticRouter } from 'react-router'
import { adminRoutes } from '../admin/routes.ts'
import { type Body, fieldsOf } from '../calls/api.ts'
import { ownOrigin } from '../lib/config.ts'
import { languageStore } from '../lib/current-language.ts'
import { lookUp } from '../lib/look-up.ts'
import { paths } from '../lib/paths.ts'
import { accountsAtOnce, everyAccount, filterBody } from '../reseller/accounts/list/account-filter.ts'
import { latest } from '../reseller/credit/statement/latest-movements.tsx'
import { entriesAtOnce } from '../reseller/credit/statement/statement.tsx'
import { Waiting } from '../ui/waiting.tsx'
import { wordsIn } from './all-words.ts'
import { areas } from './areas.ts'
import { titleOf } from './heading.ts'
import { createI18n } from './i18n.ts'
import { AppRoutes } from './router.tsx'
import { type Route, routes, wordsOf } from './routes.ts'
import { Shell } from './shell.tsx'

export {
  adminRoutes,
  areas,
  fallbackLanguage,
  firstCallsOf,
  languageFacts,
  languages,
  routes,
  wordsIn,
  wordsOf,
}

/** Pages that are not prerendered contain only the bars and a placeholder. */
export async function renderPage(route: Route | null, language: Language) {
  languageStore.set(language)
  const i18n = createI18n(language, wordsIn(language))
  const html = await draw(
    <I18nextProvider i18n={i18n}>
      <StaticRouter location={route?.path ?? '/'}>
        {route?.isPrerendered ? <AppRoutes /> : <Placeholder title={route?.title ?? ''} />}
      </StaticRouter>
    </I18nextProvider>,
  )
  const title = titleOf(lookUp(i18n.t, route?.title ?? ''), ownOrigin.brandName)
  return {
    html,
    title,
    brandName: ownOrigin.brandName,
    description: i18n.t('home.description', { ns: 'visitor/home' }),
  }
}

const Placeholder = ({ title }: { title: string }) => (
  <Routes>
    <RouteAt element={<Shell />}>
      <RouteAt path="*" element={<Waiting title={title} />} />
    </RouteAt>
  </Routes>
)

async function draw(page: ReactNode): Promise<string> {
  const errors: unknown[] = []
  const { prelude } = await prerender(page, { onError: (error) => void errors.push(error) })
  if (errors.length > 0) throw new AggregateError(errors, 'a page cannot be drawn ahead of time')
  return new Response(prelude).text()
}

/** The placeholders are filled by first-calls.js. */
const firstCall = <C extends Call>({ path }: C, body: Body<C>) => ({ path, fields: fieldsOf(body, '{lng}') })
const balances = [firstCall(getUserCredit, {}), firstCall(getUserDebt, {})]

/** The page sends these calls while its scripts load. */
const firstCallsOf: Readonly<Record<string, readonly ReturnType<typeof firstCall>[]>> = {
  [paths.dashboard]: [...balances, firstCall(getStatement, latest)],
  [paths.accounts]: [
    firstCall(getUserAccounts, { ...filterBody(everyAccount), limit: accountsAtOnce }),
    ...balances,
  ],
  [paths.account]: [firstCall(getAccount, { accountUUID: '{last}' })],
  [`${paths.admin}*`]: [firstCall(getUser, {})],
  [paths.statement]: [firstCall(getStatement, { limit: entriesAtOnce })],
}
