import {
  clearAbuse,
  day,
  extendDuration,
  getAccount,
  getUserAccounts,
  newAccount,
  renewSubscription,
  setEnabled,
} from '@kelid/contract'
import { beforeAll, expect, test } from 'vitest'
import { directAccount, type Person, useProduct } from '../../../test/product.ts'
import { expireAccounts } from './expire.job.ts'

const product = useProduct()
let serverUUID: string
beforeAll(async () => {
  serverUUID = await product.server()
})

const buy = async (user: Person) => await user.ask(newAccount, { ...directAccount, accountDuration: 1 })

const revisionOf = async (uuid: string) => (await product.row('accounts', uuid)).revision

/** As the agent will: the revision it holds of an account. */
const report = (uuid: string, applied_revision: number | null) =>
  product.setRow('accounts', uuid, { applied_revision })

const setReporting = (reporting_since: Date | null) =>
  product.setRow('servers', serverUUID, { reporting_since })

test('every change that the node must enforce raises the revision by one, anything else does not', async () => {
  let user = await product.person({ points: 10_000 })
  const { accountUUID } = await buy(user)
  const revisions = [await revisionOf(accountUUID)]
  const after = async (change: Promise<unknown>) => {
    await change
    revisions.push(await revisionOf(accountUUID))
  }
  await after(user.call(setEnabled, { accountUUID, accountEnabled: false }))
  await after(user.call(setEnabled, { accountUUID, accountEnabled: false }))
  await after(user.call(setEnabled, { accountUUID, accountEnabled: true }))
  await after(user.call(extendDuration, { accountUUID, accountDuration: 1 }))
  await after(user.call(renewSubscription, { accountUUID }))
  expect(revisions).toEqual([1, 2, 2, 3, 4, 4])

  revisions.length = 0
  product.clock.advance(3 * day)
  await after(expireAccounts(product.ctx))
  await after(expireAccounts(product.ctx))
  user = await product.again(user)
  await after(user.call(extendDuration, { accountUUID, accountDuration: 1 }))
  const abuse = { abused: true, enabled: false, abuse_devices: 5, abuse_seen_at: product.clock.now() }
  await after(product.setRow('accounts', accountUUID, abuse))
  const admin = await product.again(product.admin)
  await after(admin.call(clearAbuse, { accountUUID }))
  expect(revisions).toEqual([5, 5, 6, 7, 8])
})

test('a change waits until the node has reported it, and a server without an agent is said to be one', async () => {
  const user = await product.person({ points: 10_000 })
  const created = await buy(user)
  const { accountUUID } = created
  const shown = async () => (await user.ask(getAccount, { accountUUID })).accountApplied
  expect(created.accountApplied).toBe('unreported')
  await report(accountUUID, 1)
  expect(await shown()).toBe('unreported')

  await setReporting(product.clock.now())
  expect(await shown()).toBe('applied')
  const disabled = await user.ask(setEnabled, { accountUUID, accountEnabled: false })
  expect(disabled.accountApplied).toBe('waiting')
  expect((await user.ask(getUserAccounts, {})).items[0]?.accountApplied).toBe('waiting')
  await report(accountUUID, 1)
  expect(await shown()).toBe('waiting')
  await report(accountUUID, 2)
  expect(await shown()).toBe('applied')
  expect((await buy(user)).accountApplied).toBe('waiting')
  await setReporting(null)
})
