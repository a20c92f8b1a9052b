import {
  type Answer,
  defaultSettings,
  getDashboard,
  getDnsProvider,
  getHostHealth,
  getServers,
  getSettings,
  setDnsProvider,
  setHostPaused,
  setSettings,
} from '@kelid/contract'
import { adminPaths, serverPath } from '../apps/web/src/admin/paths.ts'
import { formatNumber } from '../apps/web/src/lib/format.ts'
import { examine } from './examine.ts'
import { readyServer } from './hosts.ts'
import { asAdmin } from './people.ts'
import { button, field, heading, notice } from './see.ts'
import { expect, asAdministrator as test } from './test.ts'
import { answer, letThrough, rewrite } from './wire.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

const hour = 3_600_000
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString()

const up: Answer<typeof getHostHealth> = {
  health: 'up',
  reason: 'ANSWERED',
  probeDate: ago(20_000),
  probeOutcome: 'ANSWERED',
  probeDetail: '',
  probeFailures: 0,
  certificateIssuer: "Let's Encrypt R11",
  certificateUntilDate: ago(-60 * 24 * hour),
  changeCount: 1,
  changes: [{ health: 'up', reason: 'ANSWERED', detail: '', sinceDate: ago(30 * hour), untilDate: null }],
}
const down: Answer<typeof getHostHealth> = {
  ...up,
  health: 'down',
  reason: 'NO_HANDSHAKE',
  probeOutcome: 'NO_HANDSHAKE',
  probeDetail: 'thr-1: ECONNRESET',
  probeFailures: 4,
  changeCount: 3,
  changes: [
    { health: 'down', reason: 'NO_HANDSHAKE', detail: 'thr-1', sinceDate: ago(hour / 4), untilDate: null },
    { health: 'up', reason: 'ANSWERED', detail: '', sinceDate: ago(30 * hour), untilDate: ago(hour / 4) },
    { health: 'down', reason: 'TIMEOUT', detail: '', sinceDate: ago(31.5 * hour), untilDate: ago(30 * hour) },
  ],
}

test('a server shows its health, certificate and history live', async ({ page, say, language }) => {
  const { serverUUID } = await readyServer()
  await page.goto(serverPath(serverUUID))
  // The history says it too, once the first round of probes has begun it.
  const reason = page.getByRole('definition').filter({ hasText: say('health.reasons.NEVER_TRIED') })
  await expect(reason).toBeVisible()
  await answer(page, getHostHealth, up)
  await page.reload()
  await expect(page.getByText(say('health.outcomes.ANSWERED'))).toBeVisible()
  await expect(page.getByText("Let's Encrypt R11")).toBeVisible()

  await letThrough(page, getHostHealth)
  await answer(page, getHostHealth, down)
  await asAdmin()(setHostPaused, { hostUUID: serverUUID, hostPaused: true })
  await expect(page.getByText(say('health.outcomes.NO_HANDSHAKE'))).toBeVisible()
  await expect(page.getByText(down.probeDetail)).toBeVisible()
  const history = page.getByRole('table', { name: say('health.history') })
  await expect(history.getByRole('row')).toHaveCount(4)
  await expect(history.getByText(say('hosts.healths.down'), { exact: true })).toHaveCount(2)
  await examine(page, 'admin-server-health', language)
})

test('a server that is down shows in the list and on the dashboard', async ({ page, say, language }) => {
  const { serverUUID, serverName } = await readyServer()
  await rewrite(page, getServers, (list) => ({
    ...list,
    items: list.items.map((server) => ({
      ...server,
      serverHealth: server.serverUUID === serverUUID ? ('down' as const) : server.serverHealth,
    })),
  }))
  await page.goto(adminPaths.servers)
  await field(page, say('hosts.search')).fill(serverName)
  const row = page.getByRole('row').filter({ hasText: serverName })
  await expect(row.getByText(say('hosts.healths.down'))).toBeVisible()
  await rewrite(page, getDashboard, (board) => ({ ...board, downServers: 1 }))
  await page.goto(adminPaths.dashboard)
  const sentence = say('board.downServers', { count: 1, shown: formatNumber(1, language) })
  await expect(page.getByText(sentence)).toBeVisible()
})

/** The settings are everybody's in these tests: what would be saved is looked at, not saved. */
test('the certificate settings are checked, reviewed and saved', async ({ page, say, language }) => {
  const { certificates } = defaultSettings
  await answer(page, getSettings, defaultSettings)
  await page.goto(adminPaths.network)
  await expect(heading(page, say('menu.network'))).toBeVisible()
  await field(page, say('network.acmeDirectory')).fill('http://acme.example.com')
  await expect(page.getByText(say('rules.httpsAddress'))).toBeVisible()
  await expect(button(page, say('prices.review'))).toBeDisabled()
  await examine(page, 'admin-network', language)
  await button(page, say('prices.undo')).click()
  await field(page, say('network.source')).selectOption('own')
  await expect(page.getByText(say('network.sourceText.own'))).toBeVisible()
  await button(page, say('prices.review')).click()
  const dialog = page.getByRole('dialog', { name: say('network.saveTitle') })
  await expect(dialog.getByText(say('network.sources.own'))).toBeVisible()
  await examine(page, 'admin-network-save', language)
  await answer(page, setSettings, defaultSettings)
  const sent = page.waitForRequest(`**${setSettings.path}`)
  await dialog.getByRole('button', { name: say('network.save') }).click()
  expect((await sent).postDataJSON()).toMatchObject({
    certificates: { ...certificates, source: 'own' },
    basedOn: { certificates },
  })
  await expect(notice(page, say('network.saved'))).toBeVisible()
})

test('the DNS provider of certificates is checked and saved without showing its credentials', async ({
  page,
  say,
  language,
}) => {
  await answer(page, getSettings, defaultSettings)
  await answer(page, getDnsProvider, { dnsProvider: 'cloudflare', dnsVariables: ['CF_DNS_API_TOKEN'] })
  await page.goto(adminPaths.network)
  await field(page, say('network.source')).selectOption('dns')
  await expect(page.getByText('cloudflare: CF_DNS_API_TOKEN')).toBeVisible()
  const save = button(page, say('network.dnsSave'))
  await expect(save).toBeDisabled()
  await field(page, say('network.dnsCredentials')).fill('LD_PRELOAD=/tmp/x.so')
  await expect(page.getByText(say('rules.dnsCredentials'))).toBeVisible()
  await examine(page, 'admin-network-dns', language)
  await field(page, say('network.dnsCredentials')).fill('CF_DNS_API_TOKEN=a-new-token')
  await save.click()
  const dialog = page.getByRole('dialog', { name: say('network.dnsSaveTitle') })
  await expect(dialog.getByText('a-new-token')).toHaveCount(0)
  await examine(page, 'admin-network-dns-save', language)
  await answer(page, setDnsProvider, { dnsProvider: 'cloudflare', dnsVariables: ['CF_DNS_API_TOKEN'] })
  await dialog.getByRole('button', { name: say('network.save') }).click()
  await expect(notice(page, say('network.dnsSaved'))).toBeVisible()
  await expect(field(page, say('network.dnsCredentials'))).toHaveValue('')
})
