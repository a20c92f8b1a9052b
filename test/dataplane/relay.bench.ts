import type { TLSSocket } from 'node:tls'
import { expect, test } from 'vitest'
import { seconds } from './commands.ts'
import { countWorking, openIdle } from './door.ts'
import type { Host } from './host.ts'
import { address } from './network.ts'
import { accountEverywhere, customerAt, ready, server } from './stage.ts'

const url = `http://${address.world}:8080/flood`
const output = ['--output', '/dev/null', '--write-out', '%{speed_download}', '--max-time', '3']
const connections = 5_000
const secondsWatched = 30
/** What one idle connection may cost a relay, in kB of memory, and all together, in percent of one processor. */
const limits = {
  ssh: { 'kB per connection': 24, 'CPU, %': 10 },
  wstunnel: { 'kB per connection': 130, 'CPU, %': 10 },
}

const programs = ['nginx', 'ssh', 'core'] as const
/** Memory in kB, shared pages counted once, and CPU time in hundredths of a second, of all processes of each program. */
const command = programs
  .map(
    (name) => `pids=$(pgrep -x ${name})
      kb=$(for pid in $pids; do cat /proc/$pid/smaps_rollup; done | awk '/^Pss:/ { sum += $2 } END { print sum + 0 }')
      ticks=$(for pid in $pids; do cat /proc/$pid/stat; done | awk '{ sum += $14 + $15 } END { print sum + 0 }')
      echo $(echo $pids | wc -w) $kb $ticks`,
  )
  .join('; ')

async function usedBy(relay: Host) {
  const lines = (await relay.say(command)).split('\n').map((line) => line.split(' ').map(Number))
  return programs.map((name, index) => {
    const [processes = 0, kilobytes = 0, ticks = 0] = lines[index] ?? []
    return { name, processes, kilobytes, ticks }
  })
}

/** Memory, and the share of one processor during half a minute. */
async function watch(relay: Host) {
  const [before, since] = [await usedBy(relay), performance.now()]
  await new Promise((resolve) => setTimeout(resolve, secondsWatched * 1000))
  const [after, watched] = [await usedBy(relay), (performance.now() - since) / 1000]
  return after.map((now, index) => ({
    ...now,
    percent: (now.ticks - (before[index]?.ticks ?? 0)) / watched,
  }))
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

test.each(['ssh', 'wstunnel'] as const)(
  'a relay by %s with 5,000 idle connections: memory and CPU',
  async (kind) => {
    const { hosts } = await ready()
    const [relay, name] = kind === 'ssh' ? [hosts.tunnelSsh, server.ssh] : [hosts.tunnelWs, server.ws]
    const secret = await accountEverywhere()
    const customer = await customerAt(relay, name, secret)
    const rows: Record<string, object> = {}
    const look = async (title: string) => {
      const used = await watch(relay)
      const { stdout } = await customer.fetch(url, ...output)
      rows[title] = {
        ...Object.fromEntries(
          used.map(({ name, processes, kilobytes, percent }) => [
            `${name}: processes, MB, CPU %`,
            `${processes}, ${Math.round(kilobytes / 1024)}, ${percent.toFixed(1)}`,
          ]),
        ),
        'MB/s of one download': Math.round(Number(stdout) / 1e6),
      }
      expect(Number(stdout), title).toBeGreaterThan(0)
      return {
        kilobytes: sum(used.map((one) => one.kilobytes)),
        percent: sum(used.map((one) => one.percent)),
      }
    }
    const before = await look('0 idle')
    const since = performance.now()
    const idle: TLSSocket[] = await openIdle(relay, name, secret, connections)
    console.log(`${idle.length} connections opened in ${seconds(since)}`)
    const during = await look(`${idle.length} idle`)
    const working = await countWorking(idle)
    for (const socket of idle) socket.destroy()
    customer.close()
    const cost = {
      'kB per connection': Math.round((10 * (during.kilobytes - before.kilobytes)) / connections) / 10,
      'CPU, %': Math.round(10 * during.percent) / 10,
    }
    console.table(rows)
    console.log(`by ${kind}: ${JSON.stringify(cost)}, ${working} still work`)
    expect([idle.length, working]).toEqual([connections, connections])
    for (const [what, limit] of Object.entries(limits[kind]))
      expect.soft(cost[what as keyof typeof cost], what).toBeLessThanOrEqual(limit)
  },
)
