import type { Language, SentAccount } from '@kelid/contract'
import type { BrowserContextOptions } from '@playwright/test'
import { paths } from '../../apps/web/src/lib/paths.ts'
import { budgetsKB } from '../../apps/web/test/budgets.ts'
import { localeOf } from '../../e2e/locale.ts'
import { fillPath, type ListedScreen, screensOf } from '../../e2e/screens.ts'
import { limits } from './limits.ts'
import type { WhatIsUsable } from './page-watch.ts'

type Area = Parameters<typeof screensOf>[0]

export interface Screen extends WhatIsUsable {
  readonly name: string
  readonly path: string
  readonly language: Language
  readonly visitor: BrowserContextOptions
  readonly budgetKB: number
  readonly isPrerendered: boolean
  /** Limit of the largest paint relative to the static page's. */
  readonly paintRatio?: number
  /** Limit of the time until usable relative to React's paint. */
  readonly besideReact?: number
  readonly blockingMs?: number
}

/** The element that makes a screen usable; by default its heading. */
const usableFirst: Readonly<Record<string, string>> = {
  'visitor/home': `main a[href="${paths.signUp}"]`,
  'visitor/sign-in': 'main form button[type=submit]',
  'visitor/sign-up': 'main form button[type=submit]',
  'reseller/accounts': 'main [aria-rowindex] a',
  'reseller/account': 'main [role=switch]',
  'reseller/dashboard': 'main table td',
  'reseller/new-account': 'main form button[type=submit]',
  'reseller/settings': 'main form input',
  'reseller/statement': 'main tbody td',
  'admin/servers': 'main tbody td',
  'admin/add-server': 'main form button[type=submit]',
  'admin/server': 'main dl',
  'admin/compensations': 'main [type=radio]',
}

const budgetOfArea = { visitor: budgetsKB.forms, reseller: budgetsKB.accounts, admin: budgetsKB.admin }
const ownBudget: Readonly<Record<string, number>> = {
  'visitor/home': budgetsKB.home,
  'reseller/account': budgetsKB.account,
}

function limitsOf(area: Area, { name, isPrerendered = false }: ListedScreen): Partial<Screen> {
  const blocking = area === 'admin' ? {} : { blockingMs: limits.blockingMs[area] }
  if (isPrerendered) return { ...blocking, paintRatio: limits.prerenderedPaintRatio }
  if (name !== 'reseller/accounts') return blocking
  return { ...blocking, paintRatio: limits.listPaintRatio, besideReact: limits.listBesideReact }
}

/** Every screen of an area; `values` fill the parameters of addresses. */
export function screensIn(
  area: Area,
  language: Language,
  visitor: BrowserContextOptions,
  values: Readonly<Record<string, string>>,
): Screen[] {
  return screensOf(area).map((screen) => ({
    ...limitsOf(area, screen),
    name: `${screen.name} ${language}`,
    path: fillPath(screen.path, values),
    selector: usableFirst[screen.name] ?? 'main h1:not([data-waiting])',
    budgetKB: ownBudget[screen.name] ?? budgetOfArea[area],
    isPrerendered: screen.isPrerendered ?? false,
    needsClient: true,
    language,
    visitor: { locale: localeOf(language), ...visitor },
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
