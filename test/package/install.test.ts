import { basename } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { given } from './given.ts'
import { archives, bootMachine, type Machine } from './machine.ts'

const unpacked = basename(given.archive, '.tar.xz')
const install = (...options: string[]) => `/root/${unpacked}/install.sh ${options.join(' ')}`
const unpack = `tar -xJf ${archives}/${basename(given.archive)} -C /root`
const settings = {
  url: 'https://vpn.example.org',
  agent: 'https://vpn.example.org:8443',
  email: 'root@example.org',
}
const options = [
  ...['--unattended', '--public-url', settings.url, '--agent-url', settings.agent],
  ...['--admin-email', settings.email, '--port', '8090', '--set', 'KELID_BRAND_NAME="My VPN"'],
]

describe.skipIf(given.machines.length === 0)('on a fresh machine without a network', () => {
  let machine: Machine
  let said = ''
  beforeAll(async () => {
    machine = await bootMachine('fresh', given.machines[0] ?? '')
    await machine.say(unpack)
    said = await machine.say(install(...options))
  })

  const ask = (path: string) =>
    machine.say(
      `/opt/kelid/current/node_modules/.bin/node -e 'fetch("http://127.0.0.1:8090${path}").then(async (r) => console.log(r.status, await r.text()))'`,
    )

  test('the product is ready and serves its client', async () => {
    expect(said).toContain('Kelid 0.1.0 runs')
    expect(await ask('/readyz')).toMatch(/^200 /)
    expect(await ask('/')).toMatch(/^200 <!doctype html>/i)
    expect(await machine.say('kelid status')).toBe('Kelid 0.1.0 runs.\nIt answers.')
    expect(await machine.say('kelid version')).toMatch(/^0\.1\.0 \([0-9a-f]{40}/)
  })

  test('it runs as its own user, from a folder of its version', async () => {
    expect(await machine.say('readlink /opt/kelid/current')).toBe('0.1.0')
    expect(await machine.say('ps -o user= -p $(systemctl show -p MainPID --value kelid) || true')).toMatch(
      /^(kelid)?$/,
    )
    expect(await machine.say('systemctl show -p User --value kelid')).toBe('kelid')
    expect(await machine.say('stat -c "%U %a" /var/lib/kelid /etc/kelid.env')).toBe('kelid 700\nroot 600')
    expect(await machine.say('find /opt/kelid/ ! -user root -o -perm /022 ! -type l | head')).toBe('')
    expect(
      await machine.say(
        'find /var/lib/kelid -perm /077 -type f ! -path "*/postgres*/*" ! -path "*/core/*" | head',
      ),
    ).toBe('')
  })

  test('the first administrator is written where only root reads it, and not into the journal', async () => {
    const result = await machine.say('cat /etc/kelid.install-result.env')
    const [, password = ''] = /^KELID_ADMIN_PASSWORD="(\S+)"$/m.exec(result) ?? []
    expect(result).toContain(`KELID_ADMIN_EMAIL="${settings.email}"`)
    expect(password).toHaveLength(23)
    expect(await machine.say('stat -c "%U %a" /etc/kelid.install-result.env')).toBe('root 600')
    expect(said).not.toContain(password)
    expect(await machine.say('kelid logs --no-pager')).not.toContain(password)
    const body = JSON.stringify({ client: 'test', clientVersion: '1', email: settings.email, password })
    const reply = await machine.say(
      `/opt/kelid/current/node_modules/.bin/node -e 'fetch("http://127.0.0.1:8090/api/v1/auth/signin", { method: "POST", headers: { "content-type": "application/json" }, body: process.argv[1] }).then(async (r) => console.log(r.status, await r.text()))' '${body}'`,
    )
    expect(reply).toMatch(/^200 /)
  })

  test('options become settings', async () => {
    const text = await machine.say('cat /etc/kelid.env')
    expect(text.split('\n').sort()).toEqual([
      `KELID_ADMIN_EMAIL="${settings.email}"`,
      'KELID_AGENT_HOST="0.0.0.0"',
      `KELID_AGENT_URL="${settings.agent}"`,
      'KELID_BRAND_NAME="My VPN"',
      'KELID_DATA_DIR="/var/lib/kelid"',
      `KELID_PUBLIC_URL="${settings.url}"`,
      'KELID_TRUST_PROXY="1"',
      'PORT="8090"',
    ])
    expect(await ask('/config.json')).toContain('My VPN')
  })

  test("the operator's commands work", async () => {
    expect(await machine.say('kelid core list')).toMatch(/^newest {2}26\.3\.27 {2}x64/)
    expect(await machine.say('kelid ssh-key')).toMatch(/^ssh-ed25519 /)
    expect(await machine.say('kelid backup /var/lib/kelid/backups/first.backup')).toContain(
      'The backup is in',
    )
    expect(await machine.say('kelid check /var/lib/kelid/backups/first.backup')).toContain(
      'whole and unchanged',
    )
    expect(await machine.say('kelid check')).toContain('The ledger adds up')
    const doctor = await machine.run('kelid doctor')
    expect(doctor.stdout).toContain('The server answers on port 8090.')
    expect(doctor.stdout).not.toContain('ansible-playbook is missing')
  })

  test('shell completion knows every command', async () => {
    const help = await machine.say('kelid help')
    const lines = [...help.matchAll(/^ {2}([a-z-]+(?:, [a-z-]+)*) /gm)]
    const commands = lines.flatMap(([, names = '']) => names.split(', '))
    expect(commands).toContain('doctor')
    const words = await machine.say(
      `bash -c '. /usr/local/share/bash-completion/completions/kelid; COMP_WORDS=(kelid ""); COMP_CWORD=1; _kelid; echo "\${COMPREPLY[*]}"'`,
    )
    expect(words.split(' ').sort()).toEqual([...new Set(commands)].sort())
  })

  test('the Ansible of the archive runs with the Python of the system', async () => {
    const version = await machine.say('/opt/kelid/current/ansible/bin/ansible-playbook --version')
    expect(version).toMatch(/^ansible-playbook \[core 2\.18\./)
    expect(version).toContain('/opt/kelid/0.1.0/ansible/core-2.18/ansible')
    await machine.say('mv /usr/bin/python3 /usr/bin/python3.away')
    const without = await machine.run('/opt/kelid/current/ansible/bin/ansible-playbook --version')
    await machine.say('mv /usr/bin/python3.away /usr/bin/python3')
    expect(without).toMatchObject({
      code: 127,
      stderr: expect.stringContaining('install the package python3'),
    })
  })

  test('the unit is hardened', async () => {
    const text = await machine.say('systemd-analyze security kelid --no-pager || true')
    const [, exposure = '10'] = /Overall exposure level for kelid.service: ([\d.]+)/.exec(text) ?? []
    expect(Number(exposure)).toBeLessThanOrEqual(3)
  })

  test('nothing was fetched, and no address but loopback is there', async () => {
    expect(await machine.say('ls /sys/class/net')).toBe('lo')
  })

  test('a second run changes nothing but the settings that it names', async () => {
    const before = await machine.say(
      'cat /etc/kelid.env; readlink -f /opt/kelid/current; cat /var/lib/kelid/secret.key | sha256sum',
    )
    const result = await machine.say('cat /etc/kelid.install-result.env')
    await machine.say(install('--unattended', '--set', 'KELID_BRAND_NAME=Other'))
    const after = await machine.say(
      'cat /etc/kelid.env; readlink -f /opt/kelid/current; cat /var/lib/kelid/secret.key | sha256sum',
    )
    expect(after.split('\n').sort()).toEqual(
      before.replace('KELID_BRAND_NAME="My VPN"', 'KELID_BRAND_NAME="Other"').split('\n').sort(),
    )
    expect(await machine.say('cat /etc/kelid.install-result.env')).toBe(result)
    expect(await ask('/config.json')).toContain('Other')
  })

  test('wrong settings are refused with a sentence and change nothing', async () => {
    const before = await machine.say('cat /etc/kelid.env')
    const wrong = [
      ['--public-url example.org', 'KELID_PUBLIC_URL must be an address'],
      ['--set KELID_NOTHING=1', 'There is no setting "KELID_NOTHING".'],
      ['--port 0', 'PORT must not be 0'],
      ['--nonsense', 'There is no option --nonsense.'],
      ["--set KELID_BRAND_NAME='a\"b'", 'must not contain quotes'],
    ]
    for (const [option = '', sentence = ''] of wrong) {
      const { code, stderr } = await machine.run(install('--unattended', option))
      expect({ option, code }).toEqual({ option, code: 1 })
      expect(stderr).toContain(sentence)
    }
    expect(await machine.say('cat /etc/kelid.env')).toBe(before)
    expect(await machine.say('kelid status')).toContain('It answers.')
  })

  test('a damaged archive is refused', async () => {
    await machine.say(`cp -R /root/${unpacked} /root/damaged && echo >> /root/damaged/apps/api/src/main.ts`)
    const { code, stderr } = await machine.run('/root/damaged/install.sh --unattended')
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('is damaged') })
    await machine.say('rm -r /root/damaged')
  })

  test('it starts with the machine', async () => {
    await machine.reboot()
    await machine.say('for i in $(seq 120); do kelid status && exit; sleep 1; done; exit 1')
  })

  test('uninstall leaves the data and says where; a new installation continues with it', async () => {
    const text = await machine.say('kelid uninstall')
    expect(text).toContain('/var/lib/kelid')
    expect(
      await machine.say(
        'ls -d /opt/kelid /usr/local/bin/kelid /etc/systemd/system/kelid.service 2>/dev/null || true',
      ),
    ).toBe('')
    expect(await machine.say('ls /var/lib/kelid')).toContain('secret.key')
    const again = await machine.say(install('--unattended'))
    expect(again).toContain('Kelid 0.1.0 runs')
    expect(again).not.toContain('administrator')
    expect(await machine.say('kelid check')).toContain('The ledger adds up')
  })
})

describe.skipIf(given.machines.length < 2)('on the other Debian', () => {
  test('the product is ready, and its Ansible runs', async () => {
    const machine = await bootMachine('other', given.machines[1] ?? '')
    await machine.say(unpack)
    const said = await machine.say(install())
    expect(said).toMatch(
      /^The first administrator:\n {4}e-mail {4}admin@kelid\.lan\n {4}password {2}\S{23}\n/,
    )
    expect(await machine.say('kelid status')).toContain('It answers.')
    expect(await machine.say('/opt/kelid/current/ansible/bin/ansible-playbook --version')).toContain(
      '[core 2.18.',
    )
  })
})
