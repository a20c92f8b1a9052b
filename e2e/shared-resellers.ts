import { adjustUserDebt, type SentAccount, setEnabled } from '@kelid/contract'
import { asAdmin, newReseller, type Reseller, tunnelledAccount } from './people.ts'
import { testedProduct } from './product/tested-product.ts'
import { asReseller, sessionItems, stored } from './test.ts'

export interface Full extends Reseller {
  readonly accounts: readonly SentAccount[]
  /** Switched off. */
  readonly disabled: SentAccount
}

const names = [
  'ali_phone',
  'sara_home',
  'office_router',
  'reza_laptop',
  'maryam',
  'a_name_of_thirty_five_characters_xx',
]

async function newFull(): Promise<Full> {
  const reseller = await newReseller({ credit: 123_456 })
  const accounts: SentAccount[] = []
  for (const [index, accountName] of names.entries())
    accounts.push(
      await reseller.account({
        ...(index % 2 === 1 && tunnelledAccount),
        accountName,
        accountDuration: 3 + 20 * index,
      }),
    )
  const { accountUUID } = accounts[1] as SentAccount
  const disabled = await reseller.call(setEnabled, { accountUUID, accountEnabled: false })
  await asAdmin()(adjustUserDebt, { userEmail: reseller.email, amount: 12.5, reason: 'پرداخت نشده' })
  return { ...reseller, accounts, disabled }
}

/** Created once per process, for tests that change nothing. */
export const shared = asReseller.extend<object, { full: Full; empty: Reseller }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern
  full: [async ({}, use) => use(await newFull()), { scope: 'worker' }],
  // biome-ignore lint/correctness/noEmptyPattern: as above
  empty: [async ({}, use) => use(await newReseller({ credit: 0, tunnelCredit: 0 })), { scope: 'worker' }],
})

export const asFull = shared.extend({
  storageState: async ({ language, full }, use) => use(stored(sessionItems(language, full.token))),
})

export const asEmpty = shared.extend({
  storageState: async ({ language, empty }, use) => use(stored(sessionItems(language, empty.token))),
})

/** The first administrator, for tests that change nothing. */
export const asFirstAdmin = shared.extend({
  storageState: async ({ language }, use) =>
    use(stored(sessionItems(language, testedProduct().adminToken, 6))),
})
