import { getServer, provisionServer, setServerReady } from '@kelid/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openProduct, type Product } from '../../../test/product.ts'
import { provision } from './provision.job.ts'
import { openRuns } from './provisioning.store.ts'

let product: Product
beforeAll(async () => {
  product = await openProduct()
})
afterAll(() => product.close())

test('a server marked as ready while its run is under way stays ready', async () => {
  const serverUUID = await product.server()
  const { admin, ctx } = product
  ;(await admin.call(provisionServer, { serverUUID })).answer()
  const [run = ''] = await openRuns(ctx.db)
  let isMarked = false
  const interrupted = {
    ...ctx,
    atomically: async <T>(work: Parameters<typeof ctx.atomically<T>>[0]) => {
      if (!isMarked) {
        isMarked = true
        ;(await admin.call(setServerReady, { serverUUID, reason: 'set up by hand' })).answer()
      }
      return ctx.atomically(work)
    },
  }
  await provision(interrupted, run)
  expect((await admin.call(getServer, { serverUUID })).answer().serverState).toBe('ready')
})
