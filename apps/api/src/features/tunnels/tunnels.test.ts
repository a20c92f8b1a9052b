import { randomUUID } from 'node:crypto'
import {
  addTunnel,
  changeTunnel,
  getTunnel,
  getTunnelLog,
  getTunnels,
  provisionTunnel,
} from '@kelid/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openProduct, type Product, sampleTunnel } from '../../../test/product.ts'
import { runQueued } from '../hosts/hosts.fixture.ts'

let product: Product
beforeAll(async () => {
  product = await openProduct()
})
afterAll(() => product.close())

test('a tunnel is added once, listed, moved, provisioned, with a log', async () => {
  const body = { ...sampleTunnel, tunnelUUID: randomUUID() }
  const { tunnelUUID } = body
  const added = (await product.admin.call(addTunnel, body)).answer()
  expect(added).toMatchObject({
    tunnelState: 'queued',
    tunnelAccounts: 0,
    tunnelCreatorEmail: 'owner@example.com',
  })
  expect((await product.admin.call(addTunnel, body)).answer()).toEqual(added)
  expect((await product.admin.call(addTunnel, { ...body, tunnelPort: 8443 })).errorType).toBe('UUID_TAKEN')
  expect(await runQueued(product, tunnelUUID)).toBe(1)
  expect((await product.admin.call(getTunnelLog, { tunnelUUID })).answer().ansibleState).toBe('failed')
  const moved = await product.admin.call(changeTunnel, { tunnelUUID, tunnelIPV4: '203.0.113.77' })
  expect(moved.answer()).toMatchObject({ tunnelIPV4: '203.0.113.77', tunnelState: 'queued' })
  expect((await product.admin.call(changeTunnel, { tunnelUUID, tunnelIPV4: '1.2.3' })).errorType).toBe(
    'INVALID_IPV4',
  )
  expect((await product.admin.call(provisionTunnel, { tunnelUUID })).status).toBe(200)
  expect(await runQueued(product, tunnelUUID)).toBe(1)
  expect((await product.admin.call(getTunnel, { tunnelUUID })).answer().tunnelState).toBe('failed')
  expect((await product.admin.call(getTunnels, {})).answer().items).toHaveLength(1)
})
