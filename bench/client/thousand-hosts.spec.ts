import { getServers } from '@kelid/contract'
import type { Page } from '@playwright/test'
import { adminPaths, serverPath } from '../../apps/web/src/admin/paths.ts'
import { aServer } from '../../apps/web/test/hosts.ts'
import { isGone, isThere, readOn, search, testAdminList } from './admin-crowd.ts'
import { fakeCrowd } from './crowd.ts'
import type { Acts } from './hold-ups.ts'

const count = 1_000
const atOnce = 40

const uuidOf = (n: number) => `22222222-2222-4222-8222-${String(n).padStart(12, '0')}`
const address = (n: number) => serverPath(uuidOf(n))

const hosts = Array.from({ length: count }, (_, n) =>
  aServer({
    serverUUID: uuidOf(n),
    serverName: `node-${String(n).padStart(4, '0')}`,
    serverState: n % 10 === 3 ? 'failed' : 'ready',
  }),
)

const readAll = async (page: Page) => {
  for (let last = 2 * atOnce - 1; last < count; last += atOnce) {
    await readOn(page)
    await isThere(page, address(last))
  }
}

const narrow = async (page: Page) => {
  const selectOf = (value: string) => page.locator('main select', { has: page.locator(`[value="${value}"]`) })
  const [state, sort] = [selectOf('failed'), selectOf('-CreatedDate')]
  await state.selectOption('failed')
  await isGone(page, address(0))
  await state.selectOption('all')
  await isThere(page, address(0))
  await sort.selectOption('-CreatedDate')
  await isThere(page, address(count - 1))
}

const find = search('node-077', address(779), address(0))
const acts: Acts = { search: find, 'read on': readAll, 'search again': find, narrow }
const fields = { searched: 'serverName', narrowed: 'serverState', by: 'state' }
const fill = (page: Page) => fakeCrowd(page, getServers, hosts, fields)

testAdminList(
  'among 1,000 hosts nothing that is searched, read on or narrowed holds the page up',
  { path: adminPaths.managedServers, fill, first: address(0) },
  acts,
)
