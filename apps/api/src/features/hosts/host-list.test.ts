import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { productForAllTests } from '../../../test/product.ts'
import { unusedAddress } from '../../../test/sample-hosts.ts'
import { bothKinds } from './hosts.fixture.ts'

const product = productForAllTests()

test.each(bothKinds)(
  '$kind lists are searched, filtered by state, sorted and read by pages',
  async (host) => {
    const { admin } = product
    const address = unusedAddress()
    for (const [Name, URL, IPV4] of [
      ['berlin-2', 'b2.example.com', unusedAddress()],
      ['Amsterdam', 'a.example.com', address],
      ['berlin-1', 'b1.example.org', unusedAddress()],
    ]) {
      const uuid = randomUUID()
      ;(await host.add(admin, uuid, { Name, URL, IPV4 })).answer()
      if (Name !== 'Amsterdam') await host.setReady(admin, uuid)
    }
    const list = async (question: object) => {
      const { items, ...page } = await host.list(admin, question)
      return { names: items.map(({ Name }) => Name), ...page }
    }
    const sort = `${host.kind}Name`
    expect((await list({})).names.toSorted()).toEqual(['Amsterdam', 'berlin-1', 'berlin-2'])
    expect((await list({ search: 'BERLIN', sort })).names).toEqual(['berlin-1', 'berlin-2'])
    expect((await list({ search: address })).names).toEqual(['Amsterdam'])
    expect((await list({ search: 'example.org' })).names).toEqual(['berlin-1'])
    expect((await list({ search: '%' })).names).toEqual([])
    expect((await list({ state: 'queued' })).names).toEqual(['Amsterdam'])

    const first = await list({ limit: 2, sort })
    expect(first).toMatchObject({ names: ['Amsterdam', 'berlin-1'], total: 3 })
    const rest = await list({ limit: 2, sort, cursor: first.nextCursor })
    expect(rest).toMatchObject({ names: ['berlin-2'], total: 3, nextCursor: null })
  },
)
