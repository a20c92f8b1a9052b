import { clearAbuse, day, extendDuration, newAccount, renewSubscription, setEnabled } from '@kelid/contract'
import { expect, test } from 'vitest'
import { productForAllTests } from '../../../test/product.ts'
import { directAccount } from '../../../test/sample-hosts.ts'
import { expireAccounts } from './expire.job.ts'

const product = productForAllTests()
const revisionOf = async (uuid: string) => (await product.row('accounts', uuid)).revision

test('every change that the node must enforce raises the revision by one, anything else does not', async () => {
  await product.server()
  let user = await product.person({ points: 10_000 })
  const { accountUUID } = await user.ask(newAccount, { ...directAccount, accountDuration: 1 })
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
  await after(product.abuse(accountUUID))
  const admin = await product.again(product.admin)
  await after(admin.call(clearAbuse, { accountUUID }))
  expect(revisions).toEqual([5, 5, 6, 7, 8])
})
