import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import { runBeside, seconds } from './commands.ts'
import { core, provision } from './provision.ts'
import { acme, ready, server, stage, trojanSsh, ws } from './stage.ts'

// They are set up while the tests of what comes before that go on at a host of their own.
beforeAll(async () => {
  await stage()
  ready().catch(() => {})
})

test('check mode on a fresh host lists the changes and makes none', async () => {
  const { spare } = await stage()
  const { code, changed, log } = await provision(spare, trojanSsh(server.spare), '--check')
  expect(code, log).toBe(0)
  expect(changed).toBeGreaterThan(5)
  const traces =
    'ls -d /etc/kelid /usr/local/lib/kelid /etc/systemd/system/kelid-*; getent passwd kelid-core; nft list tables'
  expect((await spare.ssh(traces)).stdout).toBe('')
})

test('obstacles are reported before anything is changed', async () => {
  const { spare } = await stage()
  const description = trojanSsh(server.spare)
  const { server: own } = description
  const unknown = { ...own, vpn_type: 'pigeon', vpn: { ...own.vpn, protocol: 'wings' } }
  const obstacles = [
    {
      code: 'NOT_SUPPORTED',
      put: 'mv /etc/os-release /etc/os-release.kept; echo ID=ubuntu > /etc/os-release; echo VERSION_ID=20.04 >> /etc/os-release',
      remove: 'mv /etc/os-release.kept /etc/os-release',
    },
    { code: 'NO_SYSTEMD', put: 'mount -t tmpfs tmpfs /run/systemd', remove: 'umount /run/systemd' },
    { code: 'DISK_FULL', put: 'mount -t tmpfs -o size=8m tmpfs /usr/local', remove: 'umount /usr/local' },
    {
      code: 'PORT_TAKEN',
      put: 'systemd-run --quiet --unit=other python3 -m http.server 4443 && until ss -Hlnt sport = :4443 | grep -q .; do sleep 0.1; done',
      remove: 'systemctl stop other',
      says: 'Port 4443 is used by python3',
    },
    {
      code: 'PORT_TAKEN',
      put: 'systemd-run --quiet --unit=other nginx -g "daemon off;" && until ss -Hlnt sport = :80 | grep -q .; do sleep 0.1; done',
      remove: 'systemctl stop other',
      change: { certificate: await acme(server.spare) },
      says: 'Port 80 is used by nginx',
    },
    {
      code: 'NO_ROOT',
      put: 'useradd -m guest; cp -r /root/.ssh /home/guest/; chown -R guest: /home/guest',
      remove: 'userdel -rf guest',
      user: 'guest',
    },
    {
      code: 'CORE_DAMAGED',
      change: { programs: { [process.arch]: { core: { ...core, sha256: '0'.repeat(64) } } } },
    },
    { code: 'UNKNOWN_VPN_TYPE', change: { server: unknown }, says: 'pigeon needs wings' },
  ]
  for (const { code, put, remove, user, change, says = '' } of obstacles) {
    if (put) await spare.say(put)
    const as = user ? ['-e', `ansible_user=${user}`] : []
    const { failure, log } = await provision(spare, { ...description, ...change }, ...as)
    if (remove) await spare.ssh(remove)
    expect(failure, log).toMatch(new RegExp(`^KELID:${code} .*${says}`))
    console.log(failure)
  }
  expect((await spare.ssh('ls -d /etc/kelid /usr/local/lib/kelid')).stdout).toBe('')
})

test('one server of each kind and one tunnel of each kind; a second run changes nothing', async () => {
  const since = performance.now()
  const { hosts, descriptions } = await ready()
  console.log(`5 hosts set up at once in ${seconds(since)}`)
  const again = performance.now()
  const all = Object.keys(descriptions) as (keyof typeof descriptions)[]
  const done = await Promise.all(all.map((name) => provision(hosts[name], descriptions[name])))
  for (const { code, changed, log } of done) expect([code, changed], log).toEqual([0, 0])
  console.log(`all of them again in ${seconds(again)}`)
})

test('secrets are in no log and in no world-readable file', async () => {
  const { hosts, descriptions, logs } = await ready()
  const secrets = [ws.id, ws.path, ...pieces(descriptions.tunnelSsh.tunnel.key)]
  for (const name of ['exitSsh', 'exitWs', 'hysteria'] as const)
    secrets.push(...pieces(descriptions[name].certificate.key))
  const tells = (line: string) => secrets.some((secret) => line.includes(secret))
  for (const log of logs) expect(log.split('\n').filter(tells)).toEqual([])
  await Promise.all(
    Object.values(hosts).map(async (host) => {
      const everybodys = await host.say(
        'find /etc/kelid /usr/local/lib/kelid /var/lib/kelid-relay -type f -perm /o+r -size -100k -print -exec cat {} \\; ; journalctl --no-pager',
      )
      expect(everybodys.split('\n').filter(tells), host.name).toEqual([])
    }),
  )
})

test('a host has only SSH and its VPN open', async () => {
  const { hosts } = await ready()
  await hosts.hysteria.say('systemd-run --quiet --unit=other python3 -m http.server 9000')
  const isOpen = (port: number) =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, hosts.hysteria.address, () => resolve(true))
      socket.on('error', () => resolve(false))
      socket.setTimeout(1500, () => {
        socket.destroy()
        resolve(false)
      })
    })
  expect(await isOpen(9000)).toBe(false)
  expect(await isOpen(22)).toBe(true)
  await hosts.hysteria.say('curl -s --max-time 5 -o /dev/null http://127.0.0.1:9000/ && systemctl stop other')
})

test('kernel settings are valid, and a host that refuses them is set up nevertheless', async () => {
  const { hosts } = await ready()
  // These hosts have a read-only /proc/sys; a network namespace of its own has not.
  writeFileSync('/mnt/sysctl.conf', await hosts.tunnelSsh.say('cat /etc/sysctl.d/60-kelid.conf'))
  const load = 'sysctl --quiet --ignore --load=/mnt/sysctl.conf'
  const read = 'sysctl --values net.ipv4.tcp_congestion_control net.ipv4.tcp_wmem'
  const { stdout } = await runBeside(['unshare', '--net', 'sh', '-c', `${load}; ${read}`])
  expect(stdout).toBe('bbr\n4096\t16384\t16777216\n')
  expect(await hosts.exitSsh.say('/usr/sbin/sshd -T | grep ^maxstartups')).toBe('maxstartups 200:30:400')
})

test("the forwarding user of an SSH tunnel's exit can only forward", async () => {
  const { hosts } = await ready()
  const entry = hosts.tunnelSsh
  const ssh = `runuser -u kelid-relay -- ssh -F none -i /etc/kelid/relay/key -o BatchMode=yes -o UserKnownHostsFile=/etc/kelid/relay/known_hosts kelid-relay@${hosts.exitSsh.address}`
  // The shell of that user says so itself.
  expect((await entry.ssh(`${ssh} id`)).stdout).toMatch(/^(?:This account is currently not available\.\n)?$/)
  const api = await entry.ssh(`timeout 5 ${ssh} -W 127.0.0.1:10085 < /dev/null`)
  expect(api.stderr).toMatch(/prohibited|failed/)
})

/** The lines between the first and the last of a PEM text. */
function pieces(pem: string) {
  return pem.trim().split('\n').slice(1, -1)
}
