import { deleteAccount, moveHostAccounts, newAccount, replaceHost, setSettings } from '@kelid/contract'
import { beforeAll, expect, test } from 'vitest'
import { replaceWays } from '../../src/features/replacements/replace.job.ts'
import { openForAllTests } from '../hooks.ts'
import { directAccount, unusedAddress } from '../sample-hosts.ts'
import { openRaced } from './races.ts'

const product = openForAllTests(openRaced)
let servers: string[]
beforeAll(async () => {
  servers = []
  for (const countryId of [276, 276, 40, 528, 528])
    servers.push(await product.server({ countryId, serverMaxAccounts: 200, serverIPV4: unusedAddress() }))
  await product.admin.ask(setSettings, { waysPerAccount: { 'hysteria2-direct': 3 } })
})

test('purchases of several ways, deletions, a move and a replacement at once keep the books sound', async () => {
  const people = []
  for (let number = 0; number < 8; number += 1) people.push(await product.person({ points: 100_000 }))
  const trade = people.map(async (person) => {
    for (let round = 0; round < 6; round += 1) {
      const { accountUUID } = await person.ask(newAccount, directAccount)
      if (round % 2) await person.ask(deleteAccount, { accountUUID })
    }
  })
  const [blocked = '', from = '', to = ''] = servers
  const move = product.admin.call(moveHostAccounts, { hostUUID: from, toHostUUID: to, accounts: 3 })
  await product.admin.ask(replaceHost, { hostUUID: blocked, reason: 'a test' })
  const replacing = (async () => {
    for (let round = 0; round < 10; round += 1) await Promise.all([1, 2].map(() => replaceWays(product.ctx)))
  })()
  await Promise.all([...trade, move, replacing])
  await replaceWays(product.ctx)
  const left = await product.sql(
    'SELECT count(*)::int AS left FROM placements WHERE server_uuid = $1',
    blocked,
  )
  expect(left).toEqual([{ left: 0 }])
  const twice = await product.sql(
    'SELECT account_uuid FROM placements GROUP BY account_uuid, server_uuid HAVING count(*) > 1',
  )
  expect(twice).toEqual([])
})
