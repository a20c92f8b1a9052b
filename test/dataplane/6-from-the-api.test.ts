import { getServer, getTunnel, provisionServer, provisionTunnel } from '@kelid/contract'
import { expect, test } from 'vitest'
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
  expect(await hosts.sshTunnel.say('systemctl is-active kelid-relay@1.service')).toBe('active')
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
