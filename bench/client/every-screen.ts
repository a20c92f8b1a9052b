import { type Language, languages } from '@kelid/contract'
import { somePhone } from '../../e2e/screens.ts'
import { sessionItems, stored } from '../../e2e/test.ts'
import { resellerWith } from './people.ts'
import { type Screen, screensIn, subscriptionScreen } from './screens.ts'

const rows = 1_000

const signedIn = (language: Language, token: string) => ({
  storageState: stored(sessionItems(language, token)),
})

let made: Promise<Screen[]> | undefined

/** Every screen of visitors and of a reseller with many accounts, in every language. */
export function everyScreen(): Promise<Screen[]> {
  made ??= makeScreens()
  return made
}

async function makeScreens(): Promise<Screen[]> {
  const { reseller, account } = await resellerWith(rows)
  return languages.flatMap((language) => [
    ...screensIn('visitor', language, {}, { phone: somePhone }),
    ...screensIn('reseller', language, signedIn(language, reseller.token), {
      accountUUID: account.accountUUID,
    }),
    subscriptionScreen(language, account),
  ])
}
