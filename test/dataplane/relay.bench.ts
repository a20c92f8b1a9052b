import { randomUUID } from 'node:crypto'
import { test } from 'vitest'
import { addAccount } from './core-api.ts'
import { openMany } from './door.ts'
import { address } from './network.ts'
import { customerAt, ready, server } from './stage.ts'

const url = `http://${address.world}:8080/flood`
const output = ['--output', '/dev/null', '--write-out', '%{speed_download}', '--max-time', '3']

/** MB and CPU seconds of a host's programs by that name. */
const used = `ps -C NAME -o rss=,cputimes= | awk '{ rss += $1; cpu += $2 } END { printf "%d %d", rss / 1024, cpu }'`

// Delay and loss need netem, which is missing where the kernel was built without it; then only this is measured.
test('a tunnel with idle connections: memory, and the speed of one download', async () => {
  const { hosts } = await ready()
  const secret = randomUUID()
  await addAccount(hosts.exitSsh, 'trojan', secret, secret)
  const customer = await customerAt(hosts.tunnelSsh, server.ssh, secret)
  const rows: Record<string, object> = {}
  for (const count of [0, 600, 1_500, 5_000]) {
    const idle = await openMany(hosts.tunnelSsh, server.ssh, count)
    const { stdout } = await customer.fetch(url, ...output)
    const [nginx, ssh] = await Promise.all(
      ['nginx', 'ssh'].map((name) => hosts.tunnelSsh.say(used.replace('NAME', name))),
    )
    rows[`${count} idle`] = {
      opened: idle.length,
      'MB/s': (Number(stdout) / 1e6).toFixed(0),
      'nginx: MB, CPU s': nginx,
      'ssh: MB, CPU s': ssh,
    }
    for (const socket of idle) socket.destroy()
  }
  customer.close()
  console.table(rows)
})
