import { getUserAccounts, type SentAccount } from '@kelid/contract'
import type { Browser, Page } from '@playwright/test'
import { newReseller, type Reseller } from '../../e2e/people.ts'
import { sessionItems, stored } from '../../e2e/test.ts'

const parallel = 4

/** A reseller with real accounts: fake answers would bypass the slow network. */
export async function resellerWith(count: number): Promise<{ reseller: Reseller; account: SentAccount }> {
  const reseller = await newReseller({ credit: 1_000_000 })
  const account = await reseller.account()
  let made = 1
  const make = async () => {
    while (made < count) await reseller.account({ accountName: `customer_${made++}` })
  }
  await Promise.all(Array.from({ length: parallel }, make))
  const { total } = await reseller.call(getUserAccounts, { limit: 1 })
  if (total !== count) throw new Error(`${total} accounts instead of ${count}`)
  return { reseller, account }
}

export async function signedInPage(
  browser: Browser,
  token: string,
  { level, width = 360 }: { level?: number; width?: number } = {},
): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width, height: 740 },
    storageState: stored(sessionItems('en', token, level)),
  })
  return context.newPage()
}
