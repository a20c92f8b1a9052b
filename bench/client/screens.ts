import type { Language, SentAccount } from '@kelid/contract'
import type { BrowserContextOptions } from '@playwright/test'
import { adminRoutes } from '../../apps/web/src/admin/routes.ts'
import { accountPath, paths } from '../../apps/web/src/lib/paths.ts'
import { budgetsKB } from '../../apps/web/test/budgets.ts'
import { localeOf } from '../../e2e/locale.ts'
import { sessionItems, stored } from '../../e2e/test.ts'
import { limits } from './limits.ts'
import type { WhatIsUsable } from './page-watch.ts'

export interface Screen extends WhatIsUsable {
  readonly name: string
  readonly path: string
  readonly language: Language
  readonly visitor: BrowserContextOptions
  readonly budgetKB: number
  readonly isPrerendered: boolean
  /** Its largest paint beside the static page's. */
  readonly paintRatio?: number
  /** When it is usable beside the moment at which React alone would have painted. */
  readonly besideReact?: number
  readonly blockingMs?: number
}

const prerendered = {
  isPrerendered: true,
  needsClient: true,
  paintRatio: limits.prerenderedPaintRatio,
  blockingMs: limits.blockingMs.visitor,
} as const

/** What a stranger sees first. */
export function visitorScreens(language: Language): Screen[] {
  const form = { ...prerendered, selector: 'main form button[type=submit]', budgetKB: budgetsKB.forms }
  const home = { ...prerendered, selector: `main a[href="${paths.signUp}"]`, budgetKB: budgetsKB.home }
  const at = { language, visitor: { locale: localeOf(language) } }
  return [
    { name: `landing ${language}`, path: paths.home, ...home, ...at },
    { name: `sign-in ${language}`, path: paths.signIn, ...form, ...at },
    { name: `sign-up ${language}`, path: paths.signUp, ...form, ...at },
  ]
}

/** By deep link, signed in: the way back from a bookmark. */
export function resellerScreens(language: Language, token: string, account: SentAccount): Screen[] {
  const visitor = { locale: localeOf(language), storageState: stored(sessionItems(language, token)) }
  const screen = (name: string, path: string, selector: string, budgetKB: number): Screen => ({
    name: `${name} ${language}`,
    path,
    selector,
    budgetKB,
    isPrerendered: false,
    needsClient: true,
    language,
    visitor,
    blockingMs: limits.blockingMs.reseller,
  })
  return [
    {
      ...screen('accounts', paths.accounts, 'main [aria-rowindex] a', budgetsKB.accounts),
      paintRatio: limits.listPaintRatio,
      besideReact: limits.listBesideReact,
    },
    screen('account', accountPath(account.accountUUID), 'main [role=switch]', budgetsKB.account),
    screen('dashboard', paths.dashboard, 'main table td', budgetsKB.accounts),
    screen('new account', paths.newAccount, 'main form button[type=submit]', budgetsKB.accounts),
    screen('settings', paths.settings, 'main form input', budgetsKB.accounts),
    screen('statement', paths.statement, 'main tbody td', budgetsKB.accounts),
  ]
}

/** What is usable first on a screen of the administration; on the others the heading. */
const usableFirst: Readonly<Record<string, string>> = {
  'servers-screen': 'main tbody td',
  'add-server-screen': 'main form button[type=submit]',
  'server-screen': 'main dl',
  'compensations-screen': 'main [type=radio]',
}

/** Every screen of the administration, from its own table of routes; `subjects` fill their parameters. */
export function adminScreens(
  language: Language,
  token: string,
  subjects: Readonly<Record<string, string>>,
): Screen[] {
  const visitor = { locale: localeOf(language), storageState: stored(sessionItems(language, token, 6)) }
  const fill = (path: string) =>
    path.replace(/:(\w+)/, (_, name: string) => {
      const subject = subjects[name]
      if (!subject) throw new Error(`no ${name} for ${path}`)
      return encodeURIComponent(subject)
    })
  const rows = new Map(adminRoutes.map((row) => [row.screen, row])).values()
  return [...rows].map(({ path, screen }) => ({
    name: `${screen} ${language}`,
    path: fill(path),
    selector: usableFirst[screen] ?? 'main h1:not([data-waiting])',
    budgetKB: budgetsKB.admin,
    isPrerendered: false,
    needsClient: true,
    language,
    visitor,
  }))
}

export const subscriptionScreen = (language: Language, account: SentAccount): Screen => ({
  name: `subscription ${language}`,
  path: account.accountSubscriptionPath,
  selector: 'main h1',
  isPrerendered: false,
  needsClient: false,
  language,
  visitor: { locale: localeOf(language) },
  budgetKB: budgetsKB.subscription,
})
