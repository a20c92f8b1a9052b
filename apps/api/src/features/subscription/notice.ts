import { appsWithout, encodePart, importApps, type Language } from '@kelid/contract'
import type { Brand } from './contact.ts'
import { type SubscriptionAccount, stateAt, typesOf } from './links.ts'
import { wordsOf } from './page-words.ts'
import { cleanText } from './plain-text.ts'

interface Reader {
  account: SubscriptionAccount
  ways: readonly SubscriptionAccount[]
  brand: Brand
  language: Language
  now: Date
}

/** Apps show the notice in one line. */
const namedApps = 8

/** Why the account cannot connect at all, or with this engine, and whom to ask or what to use; null if it can. */
export const noticeFor = (
  { account, ways, brand, language, now }: Reader,
  usable: readonly SubscriptionAccount[],
): string | null => {
  const words = wordsOf[language]
  const state = stateAt(account, now)
  if (state !== 'active') return [words.notices[state], cleanText(brand.contact)].filter(Boolean).join(' · ')
  if (usable.length > 0) return null
  const useless = appsWithout(typesOf(ways))
  const useful = importApps.filter((app) => !useless.includes(app))
  const names = [...useful.slice(0, namedApps), ...(useful.length > namedApps ? ['…'] : [])]
  return words.otherApps(names.join(', '))
}

/** On the device itself, where nothing answers. */
export const nowhere = { address: '127.0.0.1', port: 9 } as const

/** Apps list it like any other entry. */
export const noticeLink = (notice: string): string =>
  `vless://00000000-0000-4000-8000-000000000000@${nowhere.address}:${nowhere.port}` +
  `?type=tcp&security=none&encryption=none#${encodePart(notice)}`
