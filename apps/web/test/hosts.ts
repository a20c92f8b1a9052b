import {
  type Answer,
  getHostFigures,
  getHostHealth,
  getHostKey,
  getHostRuns,
  getMachine,
  getReplacement,
  getServer,
  getServerLog,
  type getTunnel,
} from '@kelid/contract'
import { answer } from './answers.ts'

type Server = Answer<typeof getServer>
type Tunnel = Answer<typeof getTunnel>
type Health = Answer<typeof getHostHealth>
type Run = Answer<typeof getHostRuns>['items'][number]

export const serverUUID = '22222222-2222-4222-8222-222222222222'
export const tunnelUUID = '33333333-3333-4333-8333-333333333333'

export const germany = {
  countryId: 276,
  countryCode: 'DE',
  countryName: 'Germany',
  countryFlag: '/flags/de.svg',
}
export const netherlands = {
  countryId: 528,
  countryCode: 'NL',
  countryName: 'Netherlands',
  countryFlag: '/flags/nl.svg',
}

export const aServer = (change: Partial<Server> = {}): Server => ({
  serverUUID,
  serverName: 'fra-1',
  serverType: 'hysteria',
  serverVersion: '2.6',
  serverVPNType: 'hysteria2-direct',
  serverVPNVersion: '2.6.1',
  serverIPV4: '192.0.2.10',
  serverIPV6: '',
  serverURL: 'fra1.example.com',
  serverPort: 8443,
  serverSSHPort: 22,
  serverMaxAccounts: 500,
  serverAccounts: 214,
  serverTunnelActive: false,
  serverTunnelType: '',
  serverProtocol: '',
  serverExpireDate: '',
  serverLocation: '',
  serverDescription: '',
  serverProvider: '',
  serverTargetCountry: '',
  serverTargetOperator: '',
  serverSNIAddress: '',
  serverConfigName: '',
  serverObfuscated: false,
  serverHopPorts: '',
  serverQuota: 0,
  serverQuotaDay: 1,
  serverQuotaMonth: null,
  serverFingerprint: '',
  serverAlpn: '',
  serverRealityTarget: '',
  serverSite: '',
  serverReality: null,
  serverTargetTrouble: null,
  serverHasConfigJson: false,
  serverHasSSHSecret: false,
  serverHasHostingSecret: false,
  serverState: 'ready',
  serverPaused: false,
  serverHealth: 'up',
  serverLastSeenDate: '2026-11-16T08:00:00.000Z',
  serverCreatedDate: '2026-10-01T08:00:00.000Z',
  country: germany,
  ...change,
})

export const aTunnel = (change: Partial<Tunnel> = {}): Tunnel => ({
  tunnelUUID,
  tunnelName: 'thr-1',
  tunnelVersion: '1.0',
  tunnelType: 'wstunnel',
  tunnelCreatorEmail: 'owner@example.com',
  tunnelIPV4: '198.51.100.7',
  tunnelIPV6: '',
  tunnelSite: '',
  tunnelSSHPort: 22,
  tunnelURL: 'thr1.example.com',
  tunnelPort: 443,
  tunnelMaxAccounts: 300,
  tunnelQuota: 0,
  tunnelQuotaDay: 1,
  tunnelQuotaMonth: null,
  tunnelHasSSHSecret: false,
  tunnelAccounts: 300,
  tunnelState: 'failed',
  tunnelPaused: true,
  tunnelHealth: 'down',
  tunnelLastSeenDate: null,
  tunnelCreatedDate: '2026-10-01T08:00:00.000Z',
  ...change,
})

export const aRun = (change: Partial<Run> = {}): Run => ({
  runUUID: '44444444-4444-4444-8444-444444444444',
  runPurpose: 'set-up',
  runState: 'failed',
  runQueuedDate: '2026-11-16T08:00:00.000Z',
  runStartedDate: '2026-11-16T08:00:01.000Z',
  runFinishedDate: '2026-11-16T08:00:09.000Z',
  runAttempts: 1,
  runLines: 2,
  runBy: 'admin@kelid.test',
  ...change,
})

export const manyServers = (count: number): Server[] =>
  Array.from({ length: count }, (_, n) =>
    aServer({
      serverUUID: `22222222-2222-4222-8222-${String(n).padStart(12, '0')}`,
      serverName: `node-${n}`,
    }),
  )

export const aHealth = (change: Partial<Health> = {}): Health => ({
  health: 'up',
  reason: 'ANSWERED',
  probeDate: new Date(Date.now() - 30_000).toISOString(),
  probeOutcome: 'ANSWERED',
  probeDetail: '',
  probeFailures: 0,
  certificateIssuer: "Let's Encrypt R11",
  certificateUntilDate: new Date(Date.now() + 60 * 86_400_000).toISOString(),
  changes: [
    {
      health: 'up',
      reason: 'ANSWERED',
      detail: '',
      sinceDate: new Date(Date.now() - 26 * 3_600_000).toISOString(),
      untilDate: null,
    },
    {
      health: 'down',
      reason: 'TIMEOUT',
      detail: 'thr-1',
      sinceDate: new Date(Date.now() - 27 * 3_600_000).toISOString(),
      untilDate: new Date(Date.now() - 26 * 3_600_000).toISOString(),
    },
  ],
  changeCount: 2,
  ...change,
})

export const someFigures = (change: Partial<Answer<typeof getHostFigures>> = {}) => ({
  hostActiveAccounts: 198,
  hostAccounts: 214,
  hostAbusedAccounts: 0,
  hostAlerts: [],
  hostTroubles: [],
  hostTrafficToday: { up: 1_200_000_000, down: 23_400_000_000 },
  hostTrafficMonth: { up: 30_000_000_000, down: 610_000_000_000 },
  hostTrafficTotal: { up: 90_000_000_000, down: 2_310_000_000_000 },
  hostConnections: 1_312,
  hostLoad: 0.42,
  agentVersion: '1.0.0',
  coreVersion: '26.3.27',
  coreSinceDate: new Date(Date.now() - 3 * 86_400_000).toISOString(),
  clockOffsetMs: 120,
  agentHeardDate: new Date(Date.now() - 4_000).toISOString(),
  agentSilent: false,
  ...change,
})

/** Answers all reads of a server's page. */
export function answerServerPage(server = () => aServer()): void {
  answer(getServer, server)
  answer(getHostHealth, () => aHealth())
  answer(getHostFigures, () => someFigures())
  answer(getHostKey, () => ({
    hostKeyFingerprint: 'SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDFhrdFq0OrHbRUw9E',
    hostKeyDate: '2026-10-01T08:00:00.000Z',
    hostKeyTrustsProduct: false,
  }))
  answer(getHostRuns, () => ({ items: [aRun()] }))
  answer(getServerLog, () => ({ ansibleLog: '', ansibleState: 'ready' as const }))
  answer(getReplacement, () => ({ ways: 214, placed: 0, elsewhere: 0, latest: null }))
  answerNewMachines()
}

/** Nobody is at any address yet. */
export const answerNewMachines = (): void =>
  answer(getMachine, ({ machineIPV4 }) => ({ machineIPV4, machineSSHPort: null, services: [] }))

export const aService = (change: Partial<Answer<typeof getMachine>['services'][number]> = {}) => ({
  hostUUID: serverUUID,
  hostKind: 'server' as const,
  hostName: 'fra-1',
  hostURL: 'fra1.example.com',
  hostType: 'hysteria2-direct',
  hostState: 'ready' as const,
  hostPaused: false,
  hostHealth: 'up' as const,
  hostAccounts: 3,
  hostMaxAccounts: 100,
  ports: [
    { network: 'udp' as const, first: 443, last: 443 },
    { network: 'udp' as const, first: 20_000, last: 20_100 },
  ],
  ...change,
})
