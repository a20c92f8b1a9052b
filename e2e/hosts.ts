import { randomBytes, randomUUID } from 'node:crypto'
import { addServer, addTunnel, getServer, getServers, getTunnels, setServerReady } from '@kelid/contract'
import type { Page } from '@playwright/test'
import type { TFunction } from 'i18next'
import { type Body, until } from './call.ts'
import { asAdmin } from './people.ts'
import { field } from './see.ts'
import type { Full } from './shared-resellers.ts'
import { expect } from './test.ts'

export const newName = (start: string) => `${start}-${randomBytes(4).toString('hex')}`
/** A unique address of the range for benchmarks, which no machine has. */
export const newAddress = () => {
  const [a = 0, b = 0, c = 0] = randomBytes(3)
  return `198.${18 + (a & 1)}.${b}.${c}`
}
export const serverFields = (serverName: string) =>
  ({
    serverUUID: randomUUID(),
    serverName,
    serverType: 'xray',
    serverVersion: '1.8.4',
    serverVPNType: 'trojan',
    serverVPNVersion: '2.0',
    serverIPV4: newAddress(),
    serverURL: `${serverName}.example.com`,
    serverPort: 443,
    serverMaxAccounts: 0,
    serverTunnelActive: true,
    serverTunnelType: 'wstunnel',
    countryId: 528,
  }) as const
export const newServer = () => asAdmin()(addServer, serverFields(newName('ams')))

/** Marked as ready: without an agent URL, provisioning fails first. */
export async function readyServer(change: Partial<Body<typeof addServer>> = {}) {
  const { serverUUID } = await asAdmin()(addServer, { ...serverFields(newName('rey')), ...change })
  const hasFailed = async () => (await asAdmin()(getServer, { serverUUID })).serverState === 'failed'
  await until(hasFailed, 'provisioning to give up')
  return asAdmin()(setServerReady, { serverUUID, reason: 'set up by hand' })
}
export const newTunnel = () =>
  asAdmin()(addTunnel, {
    tunnelUUID: randomUUID(),
    tunnelName: newName('thr'),
    tunnelVersion: '1.0',
    tunnelType: 'ssh',
    tunnelCreatorEmail: 'owner@example.com',
    tunnelIPV4: newAddress(),
    tunnelURL: 'thr9.example.com',
    tunnelPort: 443,
    tunnelMaxAccounts: 0,
  })

/** Values for the parameters in addresses of the admin area. */
export async function adminValues({ email, accounts }: Full): Promise<Record<string, string>> {
  // No other test removes these.
  const { items: servers } = await asAdmin()(getServers, { search: 'fra-1', limit: 1 })
  const { items: tunnels } = await asAdmin()(getTunnels, { search: 'thr-wstunnel', limit: 1 })
  return {
    accountUUID: accounts[0]?.accountUUID ?? '',
    userEmail: email,
    serverUUID: servers[0]?.serverUUID ?? '',
    tunnelUUID: tunnels[0]?.tunnelUUID ?? '',
    machineIPV4: servers[0]?.serverIPV4 ?? '',
  }
}

/** Fills the fields that servers and tunnels share. */
export async function fillHost(
  page: Page,
  say: TFunction,
  host: Readonly<Record<'name' | 'ipv4' | 'url', string>>,
): Promise<void> {
  const values = { ...host, port: '443', maxAccounts: '0' }
  for (const [key, value] of Object.entries(values))
    await field(page, say(`hosts.${key as keyof typeof values}`)).fill(value)
}

export const bodySent = async (page: Page, path: string): Promise<unknown> =>
  (await page.waitForRequest(`**${path}`)).postDataJSON()
export const uuidV4 = expect.stringMatching(
  /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
)
export const logBox = (page: Page) => page.locator('[role=region][dir=ltr]')
