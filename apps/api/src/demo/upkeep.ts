import { compensate, day, type HostState } from '@kelid/contract'
import { giveCompensation } from '../features/compensations/compensate.job.ts'
import { compensate as giveDays, quote } from '../features/compensations/compensations.ts'
import { editHost } from '../features/hosts/edit.ts'
import { cancelRuns, provisionHost } from '../features/hosts/runs.ts'
import { setHostPaused } from '../features/hosts/upkeep.ts'
import { changeServer, getServer, setServerReady } from '../features/servers/servers.ts'
import { findUserByEmail } from '../features/users/users.ts'
import { type DemoHost, pretendRun } from './hosts.ts'
import { common, type Stage, type Step } from './stage.ts'

export function upkeepOf(stage: Stage, hosts: readonly DemoHost[]): Step[] {
  const { ctx, by } = stage
  const hostNamed = (name: string): DemoHost => {
    const host = hosts.find((one) => one.name === name)
    if (!host) throw new Error(`the demo has no host ${name}`)
    return host
  }
  const again = async (name: string, state: HostState = 'ready') => {
    await provisionHost(ctx, by, hostNamed(name))
    await pretendRun(stage, hostNamed(name), state)
  }
  const cancel = async (name: string) => {
    await provisionHost(ctx, by, hostNamed(name))
    await cancelRuns(ctx, by, hostNamed(name))
  }
  const pause = (name: string) => setHostPaused(ctx, by, hostNamed(name), true, false)
  return [
    [120, () => again('fra-1')],
    [60, () => cancel('par-1')],
    [59.9, () => again('par-1')],
    [45, () => move(stage, hostNamed('hel-1'))],
    [40, () => again('thr-1')],
    [33, () => again('fra-1', 'failed')],
    [32.9, () => again('fra-1')],
    [20, () => compensateOutage(stage, hostNamed('ams-1'))],
    [0.6, () => pause('ist-1')],
    [0.6, () => pause('shz-1')],
    [0.1, () => limitToItsAccounts(stage, hostNamed('lon-1'))],
  ]
}

async function move(stage: Stage, host: DemoHost): Promise<void> {
  const { ctx, by } = stage
  const { uuid: serverUUID } = host
  const address = '203.0.113.77'
  const { country } = await getServer(ctx, serverUUID, 'en')
  await changeServer(ctx, by, { serverUUID, serverIPV4: address, countryId: country.countryId }, 'en')
  await pretendRun(stage, { ...host, address }, 'failed')
  await setServerReady(ctx, by, { serverUUID, reason: 'moved to the new address and set up by hand' }, 'en')
}

async function limitToItsAccounts({ ctx, by }: Stage, host: DemoHost): Promise<void> {
  const { serverAccounts: serverMaxAccounts } = await getServer(ctx, host.uuid, 'en')
  await editHost(ctx, by, host, { ...common, hostUUID: host.uuid, serverMaxAccounts })
}

async function compensateOutage({ ctx, clock, by }: Stage, { uuid: serverUUID }: DemoHost): Promise<void> {
  const ago = (days: number) => new Date(clock.now().getTime() - days * day).toISOString()
  const outage = { ...common, serverUUID, days: 2, downFrom: ago(0.5), downUntil: ago(0.2) }
  const { accounts } = await quote(ctx, outage)
  const userId = (await findUserByEmail(ctx.db, by.email))?.id ?? 0
  const input = { ...outage, accounts, reason: 'the data centre had no power for a night' }
  const compensation = await giveDays(
    ctx,
    { caller: { userId }, by, idempotencyKey: null },
    compensate,
    input,
  )
  await giveCompensation(ctx, compensation.compensationUUID)
}
