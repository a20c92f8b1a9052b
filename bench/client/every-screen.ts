import { languages } from '@kelid/contract'
import { resellerWith } from './people.ts'
import { resellerScreens, type Screen, subscriptionScreen, visitorScreens } from './screens.ts'

const rows = 1_000

let made: Promise<Screen[]> | undefined

/** Every screen in both languages, those of a reseller as one with many accounts sees them; made once. */
export function everyScreen(): Promise<Screen[]> {
  made ??= makeScreens()
  return made
}

async function makeScreens(): Promise<Screen[]> {
  const { reseller, account } = await resellerWith(rows)
  return languages.flatMap((language) => [
    ...visitorScreens(language),
    ...resellerScreens(language, reseller.token, account),
    subscriptionScreen(language, account),
  ])
}
