import { randomUUID } from 'node:crypto'
import { getAccount, getUserAccounts, quoteHostMove } from '@kelid/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Person, productForAllTests } from '../../../test/product.ts'
import { trojanServer } from '../../../test/sample-hosts.ts'
import { bothKinds, buy, rich, standAlone } from './hosts.fixture.ts'

const product = productForAllTests()
let admin: Person
beforeAll(async () => {
  admin = product.admin
})

const key = () => ({ 'idempotency-key': randomUUID() })

describe.each(bothKinds)('the accounts of a $kind', (host) => {
  const placesOf = async (uuid: string) => (await host.read(admin, uuid)).Accounts

  /** One with so many accounts of one person, and another that is empty. */
  async function full(count = 3, max = 10) {
    const from = await host.make(product, { max, name: 'old' })
    await standAlone(product, host.table, from)
    const person = await rich(product)
    for (let one = 0; one < count; one += 1) (await buy(person)).answer()
    const to = await host.make(product, { max, name: 'new' })
    return { from, to, person }
  }

  const accountsOf = ({ id }: Person) =>
    product.sql('SELECT uuid, revision, server_uuid, tunnel_uuid FROM accounts WHERE user_id = $1', id)

  test('are quoted and then moved: places, accounts, revisions, events and the audit log', async () => {
    const { from, to, person } = await full()
    const before = await accountsOf(person)
    const [{ accountUUID = '', accountQRString = '' } = {}] = (await person.ask(getUserAccounts, {})).items
    if (host.kind === 'server')
      await product.setRow('servers', to, { url: 'elsewhere.example.com', ipv4: '192.0.2.200' })
    else await product.setRow('tunnels', to, { ipv4: '192.0.2.201' })
    expect((await host.quote(admin, from, to)).answer()).toEqual({
      accounts: 3,
      room: 10,
      fits: true,
      refusal: null,
      sameCountry: true,
    })
    const [{ last }] = await product.sql('SELECT max(id) AS last FROM events')
    expect((await host.move(admin, from, to, 3, key())).answer()).toEqual({ accounts: 3 })
    expect([await placesOf(from), await placesOf(to)]).toEqual([0, 3])
    const after = await accountsOf(person)
    expect(after.map((account) => account[`${host.kind}_uuid`])).toEqual([to, to, to])
    const grown = after.map(({ uuid, revision }) => [uuid, revision - 1])
    expect(grown.sort()).toEqual(before.map(({ uuid, revision }) => [uuid, revision]).sort())
    const moved = await person.ask(getAccount, { accountUUID })
    expect(moved.accountQRString).not.toBe(accountQRString)
    const events = await product.sql('SELECT user_id, payload FROM events WHERE id > $1', last)
    expect(events.filter(({ user_id }) => user_id === person.id)).toHaveLength(3)
    expect(events.filter(({ user_id }) => user_id === null).map(({ payload }) => payload)).toMatchObject([
      { type: host.kind, [`${host.kind}UUID`]: from },
      { type: host.kind, [`${host.kind}UUID`]: to },
    ])
    expect(await product.lastAudit()).toMatchObject({
      auditAction: host.deed('movehostaccounts'),
      auditSubject: from,
      auditDetail: { from, to, accounts: 3 },
    })
    ;(await host.remove(admin, from)).answer()
  })

  test('are not moved when their number differs from the quote', async () => {
    const { from, to, person } = await full(2)
    await standAlone(product, host.table, from)
    ;(await buy(person)).answer()
    await product.setRow(host.table, to, { state: 'ready' })
    expect((await host.move(admin, from, to, 2, key())).errorType).toBe('CHANGED_MEANWHILE')
    expect([await placesOf(from), await placesOf(to)]).toEqual([3, 0])
  })

  test('move once under one key, also when the page shows another number by then', async () => {
    const { from, to } = await full(2)
    const same = key()
    const first = (await host.move(admin, from, to, 2, same)).answer()
    expect((await host.move(admin, from, to, 0, same)).answer()).toEqual(first)
    expect((await host.move(admin, to, from, 2, same)).errorType).toBe('KEY_REUSED')
    expect([await placesOf(from), await placesOf(to)]).toEqual([0, 2])
    ;(await host.remove(admin, from)).answer()
    expect((await host.move(admin, from, to, 2, same)).answer()).toEqual(first)
  })

  test('stay if the target is of another kind, not ready, paused, too small, unknown or the same host', async () => {
    const { from, to } = await full(3)
    const other = await host.other(product)
    const small = await host.make(product, { max: 2, name: 'small' })
    const gone = randomUUID()
    const refusals: (string | undefined)[] = []
    const attempt = async (uuid: string) => {
      const quote = await host.quote(admin, from, uuid)
      const reply = await host.move(admin, from, uuid, 3, key())
      refusals.push(reply.errorType)
      if (quote.errorType === undefined)
        expect(quote.answer()).toMatchObject({ fits: false, refusal: reply.errorType })
      return reply
    }
    await attempt(other)
    await attempt(from)
    await attempt(gone)
    const tooSmall = await attempt(small)
    expect(tooSmall.envelope.response.error?.errorParameters).toEqual({ accounts: 3, room: 2 })
    await product.setRow(host.table, to, { paused: true })
    await attempt(to)
    await product.setRow(host.table, to, { paused: false, state: 'failed' })
    await attempt(to)
    expect(refusals).toEqual([
      'NOT_THE_SAME_KIND',
      'NOT_THE_SAME_KIND',
      'RESOURCE_NOT_FOUND',
      'NO_ROOM',
      'HOST_NOT_READY',
      'HOST_NOT_READY',
    ])
    expect(await placesOf(from)).toBe(3)
  })

  test('stay while no probe has come through to the target', async () => {
    const { from, to } = await full(2)
    const setByHand = async (value: boolean) => {
      for (const table of ['servers', 'tunnels'])
        await product.sql(`UPDATE ${table} SET set_by_hand = $1`, value)
    }
    await setByHand(false)
    expect((await host.quote(admin, from, to)).answer()).toMatchObject({
      fits: false,
      refusal: 'NO_WAY_THERE',
    })
    expect((await host.move(admin, from, to, 2, key())).errorType).toBe('NO_WAY_THERE')
    expect(await host.targets(admin, from)).not.toContain(to)
    expect([await placesOf(from), await placesOf(to)]).toEqual([2, 0])
    await setByHand(true)
    expect(await host.targets(admin, from)).toContain(to)
    ;(await host.move(admin, from, to, 2, key())).answer()
  })

  test('can go to hosts with room, most room first, found by name', async () => {
    const from = await host.make(product, { name: 'full' })
    await standAlone(product, host.table, from)
    const [small, large] = [
      await host.make(product, { max: 5, name: 'small' }),
      await host.make(product, { max: 50, name: 'large' }),
    ]
    const paused = await host.make(product, { name: 'paused' })
    ;(await host.pause(admin, paused, true)).answer()
    await host.make(product, { max: 0, name: 'none' })
    await host.other(product)
    const candidates = new Set([small, large, paused, from])
    expect((await host.targets(admin, from)).filter((uuid) => candidates.has(uuid))).toEqual([large, small])
    expect(await host.targets(admin, from, 'smal')).toEqual([small])
  })
})

test('the quote of a move says whether the country changes', async () => {
  const [from, to] = [
    await product.server({ ...trojanServer(), countryId: 276 }),
    await product.server({ ...trojanServer(), countryId: 528 }),
  ]
  const quote = await admin.call(quoteHostMove, { hostUUID: from, toHostUUID: to })
  expect(quote.answer()).toMatchObject({ fits: true, sameCountry: false })
})
