import { test } from 'vitest'
import { seconds } from './commands.ts'
import { bootHost, openHosts } from './host.ts'
import { assertOwnWorld, openNetwork } from './network.ts'

test('two hosts', async () => {
  assertOwnWorld()
  openNetwork()
  openHosts()
  const since = performance.now()
  const [a, b] = await Promise.all([bootHost('trojan', '198.51.100.11'), bootHost('ssh', '198.51.100.12')])
  console.log(
    seconds(since),
    await a.say('systemctl --failed; systemctl is-system-running'),
    await b.say(
      'ping -c1 198.51.100.11; ip route; systemctl list-units --type=service --state=running; cat /proc/1/cgroup',
    ),
  )
  const s2 = performance.now()
  await b.reboot()
  console.log('reboot', seconds(s2), await b.say('uptime -s; ps aux | head -20'))
})
