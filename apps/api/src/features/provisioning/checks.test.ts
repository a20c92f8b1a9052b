import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getServer, getServerLog } from '@kelid/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { workshopForAllTests } from './ansible.fixture.ts'
import { provisioningDir } from './playbook.ts'
import { publicSshKey } from './product-key.ts'
import { createSshd, type Sshd, withoutSshd } from './sshd.fixture.ts'

/** An unused address of this machine, on which the test starts sshd. */
const address = '127.84.22.8'
const reason = await withoutSshd(address)

/** What programs of the host print. */
const calm = {
  'os-release': 'ID=debian\nVERSION_ID="12"\n',
  uname: process.arch === 'arm64' ? 'aarch64' : 'x86_64',
  nft: '',
  ufw: 'Status: inactive',
  active: '',
}
type World = typeof calm

const dropping = (chain: string) => `table ip filter {
	set allowed {
		type ipv4_addr
	}
	chain forward {
		type filter hook forward priority filter; policy drop;
	}
	chain ${chain}
}
`

describe.skipIf(reason)(`what is noticed on a host before anything changes${reason}`, () => {
  const shop = workshopForAllTests({ env: { KELID_ALLOW_LOCAL_HOST: 'no' } })
  let sshd: Sshd
  let folder: string

  beforeAll(async () => {
    folder = join(shop.folder, 'host')
    mkdirSync(join(folder, 'bin'), { recursive: true })
    const put = (name: string, script: string) =>
      writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    for (const name of ['uname', 'nft', 'ufw']) put(`bin/${name}`, `cat ${folder}/${name}; echo`)
    put('bin/systemctl', `test "$1" = is-active && grep -qx "$3" ${folder}/active`)
    const inside = join(folder, 'inside')
    put(
      'inside',
      [
        `mount --bind ${folder}/os-release /etc/os-release`,
        'mount -t tmpfs tmpfs /run && mkdir -p /run/systemd/system',
        'eval "$SSH_ORIGINAL_COMMAND"',
      ].join('\n'),
    )
    put('outside', `PATH=${folder}/bin:$PATH exec unshare --mount ${inside}`)
    sshd = createSshd(folder, `${address}:2222`, `ForceCommand ${join(folder, 'outside')}`)
    appendFileSync(sshd.authorized, `${await publicSshKey(shop.product.ctx)}\n`)
    await sshd.start()
  })
  afterAll(() => sshd?.stop())

  /** Runs the role with the real Ansible over SSH, and one task after it. */
  async function check(world: Partial<World>, change: object = {}) {
    for (const [name, text] of Object.entries({ ...calm, ...world })) writeFileSync(join(folder, name), text)
    const { serverUUID, run } = await shop.server({ serverIPV4: address, serverSSHPort: 2222, ...change })
    const playbook = shop.playbook(
      `include_vars: ${join(provisioningDir, 'service.yml')}`,
      `include_vars: ${join(provisioningDir, 'vpn-types.yml')}`,
      'include_role:\n  name: checks\n  public: true',
      'debug:\n  msg: "goes on with {{ host_programs.core.version }}"',
    )
    await shop.run(run, { playbook })
    const { serverState } = await shop.product.admin.ask(getServer, { serverUUID })
    const { ansibleLog } = await shop.product.admin.ask(getServerLog, { serverUUID })
    return { state: serverState, log: ansibleLog, end: ansibleLog.split('\n').at(-1) ?? '' }
  }

  test.each(['debian 12', 'debian 13', 'ubuntu 22.04', 'ubuntu 24.04'])('%s is accepted', async (name) => {
    const [id, version] = name.split(' ')
    const { state, log } = await check({ 'os-release': `ID=${id}\nVERSION_ID="${version}"\n` })
    expect(log).toContain('goes on with 26.3.27')
    expect(state).toBe('ready')
  })

  test('another system is refused by name', async () => {
    const { log, end } = await check({ 'os-release': 'ID=ubuntu\nVERSION_ID="20.04"\n' })
    expect(log).toContain('KELID:NOT_SUPPORTED It is ubuntu 20.04')
    expect(end).toMatch(/neither Debian 12 or 13 nor Ubuntu 22\.04 or 24\.04, so nothing was changed/)
  })

  test.each([
    ['riscv64', 'The processor is riscv64'],
    [process.arch === 'arm64' ? 'x86_64' : 'aarch64', 'There are no programs for (arm64|x64): add a core'],
  ])('a host with the processor %s is refused before anything changes', async (uname, says) => {
    const { log, end } = await check({ uname })
    expect(log).toMatch(new RegExp(`KELID:NOT_THIS_PROCESSOR ${says}`))
    expect(end).toContain('no programs for the processor of the host, so nothing was changed')
  })

  test.each([
    [{ ufw: 'Status: active' }, 'ufw'],
    [{ active: 'firewalld\n' }, 'firewalld'],
    [
      { nft: dropping('INPUT {\n\t\ttype filter hook input priority filter; policy drop;\n\t}') },
      'chain INPUT in table ip filter of nftables',
    ],
    [
      {
        nft: dropping(
          'in {\n\t\ttype filter hook input priority filter; policy accept;\n\t\tcounter packets 4 bytes 300 reject with icmp type host-prohibited\n\t}',
        ),
      },
      'chain in in table ip filter of nftables',
    ],
  ])('a firewall that drops what it does not know is refused: %j', async (world, named) => {
    const { log, end } = await check(world)
    expect(log).toContain(`KELID:OTHER_FIREWALL ${named}`)
    expect(end).toMatch(/Another firewall on the host drops .* so nothing was changed .*ufw disable/)
  })

  test('firewalls that let packets in, and Docker, do not stop a run; Docker is mentioned', async () => {
    const nft = dropping(
      'INPUT {\n\t\ttype filter hook input priority filter; policy accept;\n\t\tip saddr 192.0.2.1 drop\n\t}',
    )
    const { state, log } = await check({ nft, active: 'docker\n' })
    expect(log).toContain('Docker runs on the host. Ports that its containers publish stay open')
    expect(state).toBe('ready')
  })
})
