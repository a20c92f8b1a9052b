import { type Answer, getHostFigures, setHostPaused } from '@kelid/contract'
import { serverPath, tunnelPath } from '../apps/web/src/admin/paths.ts'
import { examine } from './examine.ts'
import { newTunnel, readyServer } from './hosts.ts'
import { asAdmin } from './people.ts'
import { expect, asAdministrator as test } from './test.ts'
import { answer, letThrough } from './wire.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString()

const busy: Answer<typeof getHostFigures> = {
  hostActiveAccounts: 1_874,
  hostAccounts: 2_000,
  hostAbusedAccounts: 0,
  hostAlerts: [],
  hostTroubles: [],
  hostTrafficToday: { up: 12_300_000_000, down: 234_500_000_000 },
  hostTrafficMonth: { up: 300_000_000_000, down: 6_100_000_000_000 },
  hostTrafficTotal: { up: 9_000_000_000_000, down: 230_100_000_000_000 },
  hostConnections: 13_120,
  hostLoad: 1.4,
  agentVersion: '1.0.0',
  coreVersion: '26.3.27',
  coreSinceDate: ago(3 * 86_400_000),
  clockOffsetMs: 120,
  agentHeardDate: ago(4_000),
  agentSilent: false,
}

test("an agent's figures follow live events", async ({ page, say, language }) => {
  const { serverUUID } = await readyServer()
  await page.goto(serverPath(serverUUID))
  const agent = page.getByRole('region', { name: say('agent.title'), exact: true })
  await expect(agent.getByText(say('agent.figures.never'))).toBeVisible()
  await examine(page, 'admin-server-agent-never', language)

  await answer(page, getHostFigures, busy)
  await asAdmin()(setHostPaused, { hostUUID: serverUUID, hostPaused: true })
  await expect(agent.getByText(busy.coreVersion)).toBeVisible()
  await expect(agent.getByText(say('agent.figures.clockRight'))).toBeVisible()
  await examine(page, 'admin-server-agent', language)

  await letThrough(page, getHostFigures)
  const silent = { ...busy, agentSilent: true, agentHeardDate: ago(3 * 3_600_000), clockOffsetMs: -95_000 }
  await answer(page, getHostFigures, silent)
  await asAdmin()(setHostPaused, { hostUUID: serverUUID, hostPaused: false })
  await expect(agent.getByText(say('agent.figures.connectionsLast'))).toBeVisible()
  await examine(page, 'admin-server-agent-silent', language)
})

test('a tunnel has the same figures', async ({ page, say }) => {
  const { tunnelUUID } = await newTunnel()
  await answer(page, getHostFigures, busy)
  await page.goto(tunnelPath(tunnelUUID))
  const agent = page.getByRole('region', { name: say('agent.title'), exact: true })
  await expect(agent.getByText(busy.coreVersion)).toBeVisible()
})
