import { deleteAnyAccount, removeHost } from '@kelid/contract'
import { expect, test } from 'vitest'
import { until } from './commands.ts'
import { added } from './installation.ts'
import { call, settled, sql } from './product.ts'

test('a removed server is cleaned, and its tunnel forgets it', async () => {
  const { hosts, servers, tunnels } = await added()
  // Accounts that remain there, for example after a failed test.
  const left = await sql('SELECT uuid FROM accounts WHERE server_uuid = $1', servers[0].serverUUID)
  for (const { uuid } of left)
    await call(deleteAnyAccount, { accountUUID: String(uuid), reason: 'it is removed' })
  await call(removeHost, { hostUUID: servers[0].serverUUID })
  await until('the removed host to be clean', 120, async () => {
    const left = await hosts.wsServer.ssh('ls -d /etc/kelid /usr/local/lib/kelid')
    if (left.stdout) throw new Error(left.stdout)
  })
  await settled('tunnel', tunnels[0].tunnelUUID)
  expect(await hosts.wsTunnel.say('cat /etc/kelid/core.json')).not.toContain('api-ws.example')
})
