import {
  deleteAccount,
  getHostHealth,
  getServer,
  getTunnel,
  provisionServer,
  provisionTunnel,
} from '@kelid/contract'
import { expect, test } from 'vitest'
import { applied, isIn, named, sell, sellAsSoonAsPossible, ways } from './accounts.ts'
import { until } from './commands.ts'
import { added } from './installation.ts'
import { call, settled } from './product.ts'

const changesIn = (log: string) => Number(/target\s+:.*changed=(\d+)/.exec(log)?.[1] ?? -1)

test('servers and tunnels of both kinds are ready from the API alone, and each end knows the other', async () => {
  const { hosts, rows } = await added()
  for (const { kind, uuid } of rows) {
    const state =
      kind === 'server'
        ? (await call(getServer, { serverUUID: uuid })).serverState
        : (await call(getTunnel, { tunnelUUID: uuid })).tunnelState
    expect(state, await settled(kind, uuid)).toBe('ready')
  }
  expect(await hosts.wsTunnel.say('cat /etc/kelid/core.json')).toContain('api-ws.example')
  expect(await hosts.sshTunnel.say('systemctl is-active "kelid-relay@20004-*"')).toBe('active')
})

test('the first account of each way, bought as soon as it is sold, connects at once', async () => {
  for (const way of ways) {
    const account = await sellAsSoonAsPossible(way)
    await applied(account)
    expect(await isIn(account), way).toBe(true)
    await call(deleteAccount, named(account))
  }
})

test('a tunnel whose SSH port vanishes during a run stays in service, sells and serves', async () => {
  const { hosts, tunnels } = await added()
  const [{ tunnelUUID }] = tunnels
  const back = 'systemd-run --on-active=60 --timer-property=AccuracySec=1s systemctl start ssh.service'
  await hosts.wsTunnel.say(`${back} && systemctl stop ssh.socket ssh.service`)
  await call(provisionTunnel, { tunnelUUID })
  const log = await settled('tunnel', tunnelUUID)
  expect(log.split('\n').at(-1)).toContain('Nothing listens for SSH at port 22 of the host')
  const { upkeep } = await call(getHostHealth, { hostUUID: tunnelUUID })
  expect(upkeep).toMatchObject({ failures: 1, retryDate: expect.any(String) })
  expect((await call(getTunnel, { tunnelUUID })).tunnelState).toBe('ready')
  const account = await sell('wstunnel')
  expect(await isIn(account)).toBe(true)
  await call(deleteAccount, named(account))
  await until('the SSH port to be back', 120, () => hosts.wsTunnel.say('true'))
  await call(provisionTunnel, { tunnelUUID })
  await settled('tunnel', tunnelUUID)
  expect((await call(getHostHealth, { hostUUID: tunnelUUID })).upkeep).toBeNull()
})

test('a second run changes nothing', async () => {
  const { rows } = await added()
  await Promise.all(
    rows.map(async ({ kind, uuid }) => {
      if (kind === 'server') await call(provisionServer, { serverUUID: uuid })
      else await call(provisionTunnel, { tunnelUUID: uuid })
      const log = await settled(kind, uuid)
      expect(changesIn(log), log).toBe(0)
    }),
  )
})
