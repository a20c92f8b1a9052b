import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { seconds, until } from './commands.ts'
import { addAccount } from './core-api.ts'
import { handshake } from './door.ts'
import { page } from './pages.ts'
import { provision } from './provision.ts'
import { customerAt, exit, ready, server, setUp, spareReady } from './stage.ts'

const secret = randomUUID()

beforeAll(async () => {
  await ready()
  await spareReady()
})

test('a server is added to a tunnel and removed again during a download through another server', async () => {
  const { hosts, descriptions } = await ready()
  const { spare, description, root } = await spareReady()
  const entry = hosts.tunnelSsh
  await Promise.all([
    addAccount(hosts.exitSsh, 'trojan', secret, secret),
    addAccount(spare, 'trojan', secret, secret),
  ])
  const first = await customerAt(entry, server.ssh, secret)
  const second = await customerAt(entry, server.spare, secret, { ca: root })
  expect((await second.fetch('http://page.example:8080/', '--max-time', '3')).code).not.toBe(0)

  const download = first.download('http://page.example:8080/download')
  // New connections through the other server, 20 a second until the end.
  const refused: string[] = []
  let opened = 0
  const timer = setInterval(() => {
    opened += 1
    handshake(entry, server.ssh).catch((error) => refused.push(error.message))
  }, 50)
  const added = exit(spare, description.host.uuid, server.spare, 2)
  const { tunnel } = descriptions.tunnelSsh
  const both = { ...descriptions.tunnelSsh, tunnel: { ...tunnel, exits: [...tunnel.exits, added] } }
  const since = performance.now()
  const grown = await provision(entry, both)
  expect(grown.code, grown.log).toBe(0)
  console.log(`a second server after ${seconds(since)}, ${grown.changed} changes`)
  await until('the new server works by its own name', 10, async () => {
    expect((await second.fetch('http://page.example:8080/')).stdout).toBe(page)
  })
  const again = await provision(entry, both)
  expect([again.code, again.changed], again.log).toEqual([0, 0])

  const shrunk = await provision(entry, descriptions.tunnelSsh)
  expect(shrunk.code, shrunk.log).toBe(0)
  await expect(handshake(entry, server.spare, { ca: root })).rejects.toThrow()
  expect(await entry.say('systemctl list-units --plain --no-legend "kelid-relay@*" | wc -l')).toBe('4')
  clearInterval(timer)
  const { bytes, isOpen } = download.end()
  console.log(`${opened} connections were opened meanwhile`)
  expect(refused).toEqual([])
  console.log(`${Math.round(bytes / 1e6)} MB went on meanwhile`)
  expect(isOpen).toBe(true)
  expect(bytes).toBeGreaterThan(1e6)
  first.close()
  second.close()
})

test('a server with many accounts gets more SSH connections, during a download through the others', async () => {
  const { hosts, descriptions } = await ready()
  const entry = hosts.tunnelSsh
  const own = randomUUID()
  await addAccount(hosts.exitSsh, 'trojan', own, own)
  const customer = await customerAt(entry, server.ssh, own)
  const download = customer.download('http://page.example:8080/download')
  const units = async () =>
    (await entry.say("systemctl show --property=Id,MainPID --value 'kelid-relay@*'"))
      .split('\n')
      .filter(Boolean)
  const before = await units()
  const { tunnel } = descriptions.tunnelSsh
  const exits = tunnel.exits.map((one) => ({ ...one, connections: 6 }))
  const busy = { ...descriptions.tunnelSsh, tunnel: { ...tunnel, exits } }
  const grown = await provision(entry, busy)
  expect(grown.code, grown.log).toBe(0)
  const after = await units()
  // A unit of these and its process.
  expect([before.length, after.length]).toEqual([8, 12])
  for (const line of before) expect(after).toContain(line)
  const again = await provision(entry, busy)
  expect([again.code, again.changed], again.log).toEqual([0, 0])
  await until('all six to be used', 30, async () => {
    await Promise.all(Array.from({ length: 30 }, () => handshake(entry, server.ssh)))
    const used = await entry.say(
      "ss -Htn state all '( dport >= :11000 and dport <= :31999 )' dst 127.0.0.1 | awk '{print $5}' | sort -u | wc -l",
    )
    if (Number(used) < 6) throw new Error(used)
  })
  const { bytes, isOpen } = download.end()
  expect([isOpen, bytes > 1e6]).toEqual([true, true])
  customer.close()
  await setUp(entry, descriptions.tunnelSsh)
})

test('a host that restarts serves again by itself', async () => {
  const { hosts } = await ready()
  const rebooted = [hosts.exitSsh, hosts.exitWs, hosts.hysteria, hosts.tunnelSsh, hosts.tunnelWs]
  const since = performance.now()
  await Promise.all(rebooted.map((host) => host.reboot()))
  for (const { entry, name } of [
    { entry: hosts.tunnelSsh, name: server.ssh },
    { entry: hosts.tunnelWs, name: server.ws },
  ])
    await until(`${entry.name} serves`, 60, () => handshake(entry, name))
  await until('hysteria', 60, () => addAccount(hosts.hysteria, 'hysteria', 'after', secret))
  const customer = await customerAt(hosts.hysteria, server.hysteria, secret)
  expect((await customer.fetch('http://page.example:8080/')).stdout).toBe(page)
  customer.close()
  console.log(`5 hosts restarted and serving after ${seconds(since)}`)
  // With its firewall, without which it would not have started.
  for (const host of rebooted) expect(await host.say('nft list chain inet kelid output')).toContain('skuid')
})

test('nginx and firewall of an earlier version take new settings over without a restart', async () => {
  const { hosts, descriptions } = await ready()
  const host = hosts.tunnelWs
  const unit = '/etc/systemd/system/kelid-front.service'
  await host.say(
    `rm /etc/kelid/front && mkdir /etc/kelid/front && cp /etc/kelid-front/nginx.conf /etc/kelid/front/ && sed -i s:-c./etc/kelid-front/:-c\\ /etc/kelid/front/: ${unit} && systemctl daemon-reload && systemctl restart kelid-front`,
  )
  await host.say(
    'echo "# earlier" >> /etc/kelid/nftables.conf && nft "add chain inet kelid input { type filter hook input priority filter; policy drop; }; add rule inet kelid input tcp dport 22 accept; add rule inet kelid input ct state established accept"',
  )
  const process = () => host.say('systemctl show --property=MainPID --value kelid-front')
  const before = await process()
  expect(await host.say(`tr '\\0' ' ' < /proc/${before}/cmdline`)).toContain('/etc/kelid/front/nginx.conf')
  await setUp(host, descriptions.tunnelWs)
  expect([await process(), await host.say('readlink -f /etc/kelid/front/nginx.conf')]).toEqual([
    ...[before, '/etc/kelid-front/nginx.conf'],
  ])
  expect(await host.say('nft list table inet kelid')).not.toContain('chain input')
  const workers = () => host.say(`pgrep -P ${before} | sort | head -n 1`)
  const worker = await workers()
  await host.say(
    'sed -i "s/^  root .*/  root \\/nowhere;/" /etc/kelid-front/1/site.conf && systemctl reload kelid-front',
  )
  await until('new workers', 10, async () => {
    if ((await workers()) === worker) throw new Error(worker)
  })
  expect((await setUp(host, descriptions.tunnelWs)).changed).toBeGreaterThan(0)
})
