import { languages } from '@kelid/contract'
import { somePhone } from '../../e2e/screens.ts'
import { sessionItems, stored } from '../../e2e/test.ts'
import { resellerWith } from './people.ts'
import { type Screen, screensIn, subscriptionScreen } from './screens.ts'

const rows = 1_000

let made: Promise<Screen[]> | undefined

/** Every screen of visitors and of a reseller with many accounts, in every language. */
export function everyScreen(): Promise<Screen[]> {
  made ??= makeScreens()
  return made
}

async function makeScreens(): Promise<Screen[]> {
  const { reseller, account } = await resellerWith(rows)
  const { accountUUID } = account
  return languages.flatMap((language) => {
    const signedIn = { storageState: stored(sessionItems(language, reseller.token)) }
    return [
      ...screensIn('visitor', language, {}, { phone: somePhone }),
      ...screensIn('reseller', language, signedIn, { accountUUID }),
      subscriptionScreen(language, account),
    ]
  })
}
