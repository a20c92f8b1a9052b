import { randomUUID } from 'node:crypto'
import {
  addServer,
  addTunnel,
  getServers,
  getTunnels,
  setServerReady,
  setTunnelReady,
  type TunnelType,
} from '@kelid/contract'
import { type CallServer, until } from '../call.ts'

const common = { serverVersion: '1.0', serverVPNVersion: '2.6', serverMaxAccounts: 10_000 } as const

const direct = {
  ...common,
  serverName: 'fra-1',
  serverType: 'hysteria',
  serverVPNType: 'hysteria2-direct',
  serverIPV4: '192.0.2.10',
  serverURL: 'fra1.example.com',
  serverPort: 8443,
  serverTunnelActive: false,
  serverTunnelType: '',
  countryId: 276,
} as const

const tunnelled = (serverTunnelType: TunnelType, serverIPV4: string) =>
  ({
    ...common,
    serverName: `ams-${serverTunnelType}`,
    serverType: 'xray',
    serverVPNType: 'trojan',
    serverIPV4,
    serverURL: `${serverTunnelType}.example.com`,
    serverPort: 443,
    serverTunnelActive: true,
    serverTunnelType,
    countryId: 528,
  }) as const

const tunnel = (tunnelType: TunnelType, tunnelIPV4: string) =>
  ({
    tunnelName: `thr-${tunnelType}`,
    tunnelVersion: '1.0',
    tunnelType,
    tunnelCreatorEmail: 'owner@example.com',
    tunnelIPV4,
    tunnelURL: `thr-${tunnelType}.example.com`,
    tunnelPort: 443,
    tunnelMaxAccounts: 10_000,
  }) as const

/** Servers and tunnels of every type, marked as ready: without an agent URL, provisioning fails first. */
export async function addHosts(call: CallServer): Promise<void> {
  const servers = [direct, tunnelled('wstunnel', '192.0.2.20'), tunnelled('ssh', '192.0.2.30')]
  const tunnels = [tunnel('wstunnel', '198.51.100.7'), tunnel('ssh', '198.51.100.8')]
  for (const server of servers) await call(addServer, { ...server, serverUUID: randomUUID() })
  for (const one of tunnels) await call(addTunnel, { ...one, tunnelUUID: randomUUID() })

  const states = async () => [
    ...(await call(getServers, {})).items.map(({ serverState }) => serverState),
    ...(await call(getTunnels, {})).items.map(({ tunnelState }) => tunnelState),
  ]
  await until(async () => (await states()).every((state) => state === 'failed'), 'provisioning to give up')
  const reason = 'set up by hand'
  for (const { serverUUID } of (await call(getServers, {})).items)
    await call(setServerReady, { serverUUID, reason })
  for (const { tunnelUUID } of (await call(getTunnels, {})).items)
    await call(setTunnelReady, { tunnelUUID, reason })
}
