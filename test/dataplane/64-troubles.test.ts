import { deleteAccount, getDashboard, type TroubleKind } from '@kelid/contract'
import { expect, test } from 'vitest'
import { isIn, named, sell } from './accounts.ts'
import { seconds, until } from './commands.ts'
import type { Host } from './host.ts'
import { added } from './installation.ts'
import { call } from './product.ts'

/** The agent looks every 30 seconds and reports at once; a loaded machine is slower. */
const nextLook = 60

async function shows(name: string, kind: TroubleKind, expected?: object) {
  const since = performance.now()
  await until(`${kind} of ${name}`, nextLook, async () => {
    const { hostTroubles } = await call(getDashboard, {})
    const trouble = hostTroubles.find((one) => one.name === name && one.trouble === kind)
    if (expected) expect(trouble).toMatchObject(expected)
    else expect(trouble).toBeUndefined()
  })
  console.log(`${name}: ${kind} ${expected ? 'reported' : 'gone'} after ${seconds(since)}`)
}

test.concurrent('a vanished firewall is loaded again without a restart of the core, and reported', async () => {
  const { hosts } = await added()
  // The other tests restart the cores of the other hosts.
  const cases = [
    {
      ...{ host: hosts.hysteriaServer, name: 'api-hysteria' },
      commands: ['nft flush ruleset', 'nft delete table inet kelid-input'],
    },
    { host: hosts.sshTunnel, name: 'api-ssh-tunnel', commands: ['nft delete table inet kelid'] },
  ]
  await Promise.all(
    cases.map(async ({ host, name, commands }) => {
      const coreOf = () => host.say('systemctl show kelid-core --property=MainPID')
      const rulesOf = () =>
        host.say('for table in kelid kelid-input; do nft --terse --stateless list table inet $table; done')
      const [core, rules] = [await coreOf(), await rulesOf()]
      for (const command of commands) {
        await host.say(command)
        const since = performance.now()
        await until(`the firewall of ${name}`, nextLook, async () => expect(await rulesOf()).toBe(rules))
        console.log(`${name}: ${command}: loaded again after ${seconds(since)}`)
        await shows(name, 'firewall', { repaired: true })
      }
      expect(await coreOf()).toBe(core)
    }),
  )
})

test.concurrent('hung cores are restarted within two minutes, and customers come in again', async () => {
  const { hosts } = await added()
  const account = await sell('wstunnel')
  expect(await isIn(account)).toBe(true)
  for (const host of [hosts.wsServer, hosts.wsTunnel])
    await host.say('systemctl kill --signal=STOP kelid-core')
  expect(await isIn(account, 1)).toBe(false)
  const since = performance.now()
  await until('the customer is back', 120, async () => expect(await isIn(account, 1)).toBe(true))
  console.log(`hung cores: the customer is back after ${seconds(since)}`)
  await Promise.all(['api-ws', 'api-ws-tunnel'].map((name) => shows(name, 'core-hung', { repaired: true })))
  await call(deleteAccount, named(account))
})

test.concurrent('a core that exits 23, a certificate of few days and a full disk are reported while they last', async () => {
  const { hosts } = await added()
  const [core, chain] = ['/etc/kelid/core.json', '/etc/kelid/certificate/chain.pem']
  const certificate =
    'openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 13 -subj /CN=a -keyout /dev/null'
  const cases: { host: Host; name: string; kind: TroubleKind; begin: string; end: string; detail: RegExp }[] =
    [
      {
        ...{ host: hosts.sshServer, name: 'api-ssh', kind: 'core-configuration', detail: /^$/ },
        begin: `cp -p ${core} /root/kept.json && echo '{"inbounds": 1}' > ${core} && systemctl restart kelid-core`,
        end: `cp -p /root/kept.json ${core} && systemctl restart kelid-core`,
      },
      {
        ...{ host: hosts.sshServer, name: 'api-ssh', kind: 'certificate', detail: /^20\d\d-\d\d-\d\d$/ },
        begin: `cp -p ${chain} /root/kept.pem && ${certificate} -out ${chain} 2>/dev/null`,
        end: `cp -p /root/kept.pem ${chain}`,
      },
      {
        ...{ host: hosts.sshTunnel, name: 'api-ssh-tunnel', kind: 'disk', detail: /^\/var\/log: 0 MB free$/ },
        begin: 'mount -t tmpfs -o size=20m tmpfs /var/log && head -c 19900k /dev/zero > /var/log/large',
        end: 'umount -l /var/log',
      },
    ]
  await Promise.all(
    cases.map(async ({ host, name, kind, begin, end, detail }) => {
      await host.say(begin)
      await shows(name, kind, { repaired: false, detail: expect.stringMatching(detail) })
      await host.say(end)
      await shows(name, kind)
    }),
  )
})

test('agents of healthy hosts report nothing, so every check works inside the restricted unit', async () => {
  await added()
  const { hostTroubles } = await call(getDashboard, {})
  expect(hostTroubles.filter(({ repaired }) => !repaired)).toEqual([])
})
