import { getUserAccounts, type SentAccount } from '@kelid/contract'
import { newReseller, type Reseller } from '../../e2e/people.ts'

const atOnce = 4

/** Somebody whose accounts are really there: what is faked does not pass through the slow network. */
export async function resellerWith(count: number): Promise<{ reseller: Reseller; account: SentAccount }> {
  const reseller = await newReseller({ credit: 1_000_000 })
  const account = await reseller.account()
  let made = 1
  const make = async () => {
    while (made < count) await reseller.account({ accountName: `customer_${made++}` })
  }
  await Promise.all(Array.from({ length: atOnce }, make))
  const { total } = await reseller.call(getUserAccounts, { limit: 1 })
  if (total !== count) throw new Error(`${total} accounts instead of ${count}`)
  return { reseller, account }
}
