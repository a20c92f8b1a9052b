import { expect, test } from 'vitest'
import { until } from './commands.ts'
import { added } from './installation.ts'
import { call, settled } from './product.ts'

const changesIn = (log: string) => Number(/target\s+:.*changed=(\d+)/.exec(log)?.[1] ?? -1)

test('servers and tunnels of both kinds are ready from the API alone, and each end knows the other', async () => {
  const { hosts, rows } = await added()
  for (const { kind, uuid } of rows) {
    const row = await call(`${kind}s/get${kind}`, { [`${kind}UUID`]: uuid })
    expect(row[`${kind}State`], await settled(kind, uuid)).toBe('ready')
  }
  expect(await hosts.wsTunnel.say('cat /etc/kelid/core.json')).toContain('api-ws.example')
  expect(await hosts.sshTunnel.say('systemctl is-active kelid-relay@1.service')).toBe('active')
})

test('once more changes nothing', async () => {
  const { rows } = await added()
  await Promise.all(
    rows.map(async ({ kind, uuid }) => {
      await call(`${kind}s/provision`, { [`${kind}UUID`]: uuid })
      const log = await settled(kind, uuid)
      expect(changesIn(log), log).toBe(0)
    }),
  )
})

test('a removed server is cleaned, and its tunnel forgets it', async () => {
  const { hosts, servers, tunnels } = await added()
  await call('servers/remove', { serverUUID: servers[0]?.serverUUID })
  await until('the removed host to be clean', 120, async () => {
    const left = await hosts.wsServer.ssh('ls -d /etc/kelid /usr/local/lib/kelid')
    if (left.stdout) throw new Error(left.stdout)
  })
  await settled('tunnel', tunnels[0]?.tunnelUUID ?? '')
  expect(await hosts.wsTunnel.say('cat /etc/kelid/core.json')).not.toContain('api-ws.example')
})
