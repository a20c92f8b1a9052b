import type { HostState } from '@kelid/contract'
import type { Context } from '../context.ts'
import type { By } from '../features/audit/audit.ts'
import { setHostState } from '../features/hosts/hosts.ts'
import { writeLog } from '../features/provisioning/provisioning.ts'
import { addServer, changeServer, setServerReady } from '../features/servers/servers.ts'
import { addTunnel } from '../features/tunnels/tunnels.ts'
import { endRun, takeRun } from './demo.store.ts'
import { exampleLog } from './example-logs.ts'
import type { DemoServer, DemoTunnel } from './hosts.ts'
import type { MovingClock } from './moving-clock.ts'

const minutes = (count: number) => count * 60_000
/** A run that ends as "superseded" leaves its host where it was: the demo's worker has nothing to take up. */
const outcomes = {
  ready: 'succeeded',
  failed: 'failed',
  provisioning: 'superseded',
  queued: 'superseded',
} as const

export async function pretendRun(
  ctx: Context,
  clock: MovingClock,
  host: { uuid: string; name: string; address: string; state: HostState },
): Promise<void> {
  clock.moveTo(clock.now().getTime() + minutes(1))
  const run = await takeRun(ctx.db, host.uuid, clock.now())
  const lines = exampleLog(host.name, host.address, host.state)
  if (lines.length > 0) await writeLog(ctx, run, lines.join('\n'), [])
  clock.moveTo(clock.now().getTime() + minutes(4))
  await endRun(ctx.db, run.uuid, outcomes[host.state], clock.now())
  await setHostState(ctx, ctx.db, { kind: run.subject, uuid: host.uuid }, host.state)
}

export async function addDemoServer(
  ctx: Context,
  clock: MovingClock,
  by: By,
  { input, state }: DemoServer,
): Promise<void> {
  await addServer(ctx, by, input, 'en')
  const { serverUUID: uuid, serverName: name, serverIPV4: address } = input
  await pretendRun(ctx, clock, { uuid, name, address, state })
}

export async function addDemoTunnel(
  ctx: Context,
  clock: MovingClock,
  by: By,
  { input, state }: DemoTunnel,
): Promise<void> {
  await addTunnel(ctx, by, input)
  const { tunnelUUID: uuid, tunnelName: name, tunnelIPV4: address } = input
  await pretendRun(ctx, clock, { uuid, name, address, state })
}

/** A server that got another address once: its accounts' links moved with it. */
export async function moveDemoServer(
  ctx: Context,
  clock: MovingClock,
  by: By,
  { input }: DemoServer,
): Promise<void> {
  const address = '203.0.113.77'
  const { serverUUID: uuid, serverName: name, countryId } = input
  await changeServer(ctx, by, { serverUUID: uuid, serverIPV4: address, countryId }, 'en')
  await pretendRun(ctx, clock, { uuid, name, address, state: 'failed' })
  await setServerReady(
    ctx,
    by,
    { serverUUID: uuid, reason: 'moved to the new address and set up by hand' },
    'en',
  )
}
