import { expect, test } from 'vitest'
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
