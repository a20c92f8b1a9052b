import type { HostState } from '@kelid/contract'
import * as contract from '@kelid/contract'
import { setHostState } from '../features/hosts/hosts.ts'
import type { Host } from '../features/hosts/kinds.ts'
import { writeLog } from '../features/provisioning/provisioning.ts'
import { addServer } from '../features/servers/servers.ts'
import { addTunnel } from '../features/tunnels/tunnels.ts'
import { endRun, setByHand, takeRun } from './demo.store.ts'
import { administrator } from './people.ts'
import type { Random } from './random.ts'
import { common, type Stage } from './stage.ts'

export interface DemoHost extends Host {
  readonly name: string
  readonly address: string
  readonly state: HostState
  /** Days ago. */
  readonly added: number
  readonly add: (stage: Stage) => Promise<unknown>
}

const kinds = {
  hysteria: { vpnType: 'hysteria2-direct', vpnVersion: '2.6', tunnelType: '', port: 8443 },
  reality: { vpnType: 'vless-reality', vpnVersion: '26.3', tunnelType: '', port: 443 },
  xhttp: { vpnType: 'vless-xhttp', vpnVersion: '26.3', tunnelType: '', port: 443 },
  wstunnel: { vpnType: 'trojan', vpnVersion: '25.3', tunnelType: 'wstunnel', port: 443 },
  ssh: { vpnType: 'trojan', vpnVersion: '25.3', tunnelType: 'ssh', port: 443 },
} as const
type Kind = keyof typeof kinds

/** Name, ISO country number, kind, capacity, days ago, state. */
const servers: readonly (readonly [string, number, Kind, number, number, HostState])[] = [
  ['fra-1', 276, 'hysteria', 120, 208, 'ready'],
  ['ams-1', 528, 'wstunnel', 110, 208, 'ready'],
  ['hel-1', 246, 'hysteria', 100, 207, 'ready'],
  ['lon-1', 826, 'ssh', 70, 206, 'ready'],
  ['par-1', 250, 'wstunnel', 90, 150, 'ready'],
  ['ist-1', 792, 'hysteria', 60, 122, 'ready'],
  ['sto-1', 752, 'ssh', 50, 97, 'ready'],
  ['zrh-1', 756, 'wstunnel', 60, 64, 'ready'],
  ['tor-1', 124, 'hysteria', 40, 30, 'ready'],
  ['sin-1', 702, 'wstunnel', 40, 6, 'failed'],
  ['vie-1', 40, 'hysteria', 80, 0.05, 'provisioning'],
  ['tyo-1', 392, 'ssh', 40, 0.03, 'queued'],
  ['waw-1', 616, 'reality', 90, 207, 'ready'],
  ['prg-1', 203, 'xhttp', 70, 205, 'ready'],
]

const tunnels: readonly (readonly [string, 'wstunnel' | 'ssh', number, number, HostState])[] = [
  ['thr-1', 'wstunnel', 160, 208, 'ready'],
  ['thr-2', 'ssh', 110, 206, 'ready'],
  ['mhd-1', 'wstunnel', 120, 149, 'ready'],
  ['shz-1', 'ssh', 60, 96, 'ready'],
  ['ifn-1', 'wstunnel', 80, 15, 'failed'],
  ['tbz-1', 'wstunnel', 80, 0.04, 'provisioning'],
  ['krj-1', 'ssh', 60, 0.03, 'queued'],
]

const providers = ['Example Cloud', 'Sample Hosting', 'Northern Example']

/** The addresses are from documentation ranges, so the demo never reaches a real host. */
export const demoHosts = (random: Random): DemoHost[] => [
  ...servers.map(([name, countryId, kind, capacity, added, state], index): DemoHost => {
    const host = { kind: 'server', uuid: random.uuid(), name, address: `192.0.2.${20 + index}` } as const
    const { vpnType, vpnVersion, tunnelType, port } = kinds[kind]
    const input = contract.addServer.input.parse({
      ...common,
      serverName: name,
      serverType: contract.vpnCatalogue[vpnType].serverType,
      serverUUID: host.uuid,
      serverVersion: '1.0',
      serverVPNType: vpnType,
      serverVPNVersion: vpnVersion,
      serverIPV4: host.address,
      serverURL: `${name.replace('-', '')}.example.net`,
      serverPort: port,
      serverMaxAccounts: capacity,
      serverTunnelActive: tunnelType !== '',
      serverTunnelType: tunnelType,
      ...(contract.hasReality(vpnType) && { serverRealityTarget: 'www.example.com' }),
      countryId,
      serverProvider: random.pick(providers),
      serverDescription: 'Part of the demo; there is no such host.',
    })
    return { ...host, added, state, add: ({ ctx, by }) => addServer(ctx, by, input, 'en') }
  }),
  ...tunnels.map(([name, tunnelType, capacity, added, state], index): DemoHost => {
    const host = { kind: 'tunnel', uuid: random.uuid(), name, address: `198.51.100.${10 + index}` } as const
    const input = contract.addTunnel.input.parse({
      ...common,
      tunnelName: name,
      tunnelVersion: '1.0',
      tunnelUUID: host.uuid,
      tunnelType,
      tunnelCreatorEmail: administrator,
      tunnelIPV4: host.address,
      tunnelURL: `${name.replace('-', '')}.example.org`,
      tunnelPort: 443,
      tunnelMaxAccounts: capacity,
    })
    return { ...host, added, state, add: ({ ctx, by }) => addTunnel(ctx, by, input) }
  }),
]

const minute = 60_000
/** A superseded run leaves the host's state, so the worker has nothing to do. */
const outcomes = {
  ready: 'succeeded',
  failed: 'failed',
  provisioning: 'superseded',
  queued: 'superseded',
} as const

export async function pretendRun({ ctx, clock }: Stage, host: DemoHost, state = host.state): Promise<void> {
  clock.moveBy(minute)
  const run = await takeRun(ctx.db, host.uuid, clock.now())
  const log = exampleLog(host.name, host.address, state)
  if (log) await writeLog(ctx, run, log, [])
  clock.moveBy(4 * minute)
  await endRun(ctx.db, run.uuid, outcomes[state], clock.now())
  await setHostState(ctx, ctx.db, host, state)
  // No run has told it of its other ends.
  await setByHand(ctx.db, host)
}

const head = (kind: string) => `${kind} ${'*'.repeat(Math.max(3, 77 - kind.length))}`

const tasks = [
  ['Gathering Facts', 'ok'],
  ['Bring the packages up to date', 'changed'],
  ['Open the firewall for the service and for nothing else', 'changed'],
  ['Install the service at its pinned version', 'changed'],
  ['Write its configuration', 'changed'],
  ['Start it and wait until it answers', 'ok'],
] as const

const finishedTasks: Record<HostState, number> = {
  queued: 0,
  failed: 0,
  provisioning: 3,
  ready: tasks.length,
}

function exampleLog(name: string, address: string, state: HostState): string {
  if (state === 'queued') return ''
  const recap = (text: string) => ['', head('PLAY RECAP'), `${name} : ${text}`]
  return [
    'This is an example from the demo. No host was contacted and nothing was installed.',
    '',
    head(`PLAY [Set up ${name}]`),
    '',
    ...tasks
      .slice(0, finishedTasks[state])
      .flatMap(([title, outcome]) => [head(`TASK [${title}]`), `${outcome}: [${name}]`]),
    ...(state === 'failed'
      ? [
          head('TASK [Gathering Facts]'),
          `fatal: [${name}]: UNREACHABLE! => Failed to connect to the host via ssh: connect to host ${address} port 22: Connection timed out`,
          ...recap('ok=0 changed=0 unreachable=1 failed=0'),
        ]
      : []),
    ...(state === 'ready' ? recap('ok=6 changed=4 unreachable=0 failed=0') : []),
  ].join('\n')
}
