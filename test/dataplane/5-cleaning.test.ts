import { expect, test } from 'vitest'
import { seconds } from './commands.ts'
import { provision } from './provision.ts'
import { ready } from './stage.ts'

test('a removed host is cleaned, and a second cleaning works too', async () => {
  const { hosts, descriptions } = await ready()
  await Promise.all(
    (['exitSsh', 'tunnelSsh', 'hysteria'] as const).map(async (name) => {
      const host = hosts[name]
      const clean = { ...descriptions[name], purpose: 'clean' }
      const since = performance.now()
      const { code, log } = await provision(host, clean)
      expect(code, log).toBe(0)
      console.log(`${name} cleaned in ${seconds(since)}`)
      const traces = [
        'ls -d /etc/kelid /usr/local/lib/kelid /var/lib/kelid-* /etc/systemd/system/kelid-* /etc/ssh/sshd_config.d/*kelid*',
        'getent passwd kelid-core kelid-relay kelid-agent',
        'nft list tables',
        "systemctl list-units --all --plain --no-legend 'kelid-*'",
        'ss -Hlntup | grep \'"core"\'',
      ]
      expect((await host.ssh(traces.join('; '))).stdout, log).toBe('')
      const again = await provision(host, clean)
      expect([again.code, again.changed], again.log).toEqual([0, 0])
    }),
  )
})
