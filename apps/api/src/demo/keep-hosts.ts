import { compensate, day, type HostState } from '@kelid/contract'
import type { Context } from '../context.ts'
import type { By } from '../features/audit/audit.ts'
import { giveCompensation } from '../features/compensations/compensate.job.ts'
import { compensate as giveDays, quote } from '../features/compensations/compensations.ts'
import { editHost } from '../features/hosts/edit.ts'
import type { Host } from '../features/hosts/kinds.ts'
import { cancelRuns, provisionHost } from '../features/hosts/runs.ts'
import { setHostPaused } from '../features/hosts/upkeep.ts'
import { getServer } from '../features/servers/servers.ts'
import { findUserByEmail } from '../features/users/users.ts'
import { pretendRun } from './add-hosts.ts'
import type { DemoServer, DemoTunnel } from './hosts.ts'
import type { MovingClock } from './moving-clock.ts'

interface Named extends Host {
  name: string
  address: string
}

/** What an administrator did with hosts that were there: set up again, called off, paused, limited, and days for an outage. */
export function upkeepOf(
  ctx: Context,
  clock: MovingClock,
  by: By,
  servers: readonly DemoServer[],
  tunnels: readonly DemoTunnel[],
) {
  const hosts: Named[] = [
    ...servers.map(({ input }) => ({
      kind: 'server' as const,
      uuid: input.serverUUID,
      name: input.serverName,
      address: input.serverIPV4,
    })),
    ...tunnels.map(({ input }) => ({
      kind: 'tunnel' as const,
      uuid: input.tunnelUUID,
      name: input.tunnelName,
      address: input.tunnelIPV4,
    })),
  ]
  const called = (name: string): Named => {
    const host = hosts.find((one) => one.name === name)
    if (!host) throw new Error(`the demo has no host ${name}`)
    return host
  }
  const again = (ago: number, name: string, state: HostState) => ({
    ago,
    run: async () => {
      await provisionHost(ctx, by, called(name))
      await pretendRun(ctx, clock, { ...called(name), state })
    },
  })
  const calledOff = (ago: number, name: string) => ({
    ago,
    run: async () => {
      await provisionHost(ctx, by, called(name))
      await cancelRuns(ctx, by, called(name))
    },
  })
  const paused = (ago: number, name: string) => ({
    ago,
    run: () => setHostPaused(ctx, by, called(name), true, false),
  })
  return [
    again(120, 'fra-1', 'ready'),
    calledOff(60, 'par-1'),
    again(59.9, 'par-1', 'ready'),
    again(40, 'thr-1', 'ready'),
    again(33, 'fra-1', 'failed'),
    again(32.9, 'fra-1', 'ready'),
    { ago: 20, run: () => makeGood(ctx, clock, by, called('ams-1')) },
    paused(0.6, 'ist-1'),
    paused(0.6, 'shz-1'),
    { ago: 0.1, run: () => limitToWhatItHas(ctx, by, called('lon-1')) },
  ]
}

/** A full server: it takes no new accounts until one is deleted. */
async function limitToWhatItHas(ctx: Context, by: By, host: Named): Promise<void> {
  const { serverAccounts: serverMaxAccounts } = await getServer(ctx, host.uuid, 'en')
  const edit = { client: 'demo', clientVersion: '1.0', hostUUID: host.uuid, serverMaxAccounts }
  await editHost(ctx, by, host, edit)
}

/** A night without a server, and two days for everybody who was on it. */
async function makeGood(ctx: Context, clock: MovingClock, by: By, { uuid }: Named): Promise<void> {
  const ago = (days: number) => new Date(clock.now().getTime() - days * day).toISOString()
  const outage = {
    client: 'demo',
    clientVersion: '1.0',
    serverUUID: uuid,
    days: 2,
    downFrom: ago(0.5),
    downUntil: ago(0.2),
  }
  const { accounts } = await quote(ctx, outage)
  const user = await findUserByEmail(ctx.db, by.email)
  const given = await giveDays(
    ctx,
    { caller: { userId: user?.id ?? 0 }, by, idempotencyKey: null },
    compensate,
    { ...outage, accounts, reason: 'the data centre had no power for a night' },
  )
  await giveCompensation(ctx, given.compensationUUID)
}
