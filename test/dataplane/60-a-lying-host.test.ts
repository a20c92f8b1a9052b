import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addServer, getServer, getUpgrades, removeHost } from '@kelid/contract'
import { afterAll, expect, test } from 'vitest'
import { type LyingHost, openLyingHost } from '../../apps/api/test/lying-host/lying-host.ts'
import { until } from './commands.ts'
import { bootHost, type Host } from './host.ts'
import { hysteria, installation, trust } from './installation.ts'
import { call, cli, settled, sql } from './product.ts'
import { memo } from './stage.ts'

let liar: LyingHost
afterAll(() => liar?.close())

/** The attacker's program answers in place of the host's Python. */
async function takeOver({ root, say }: Host): Promise<void> {
  copyFileSync(liar.program, join(root, 'opt/lying-host.py'))
  copyFileSync(liar.lies, join(root, 'opt/lies.json'))
  const answer = 'exec /usr/bin/lying -I -S /opt/lying-host.py /opt/lies.json python'
  writeFileSync(join(root, 'opt/python3'), `#!/bin/sh\n${answer}\n`, { mode: 0o755 })
  // Something listens where the core and the web server would, as the core's user: the playbook shall come to its end.
  const listen = `import signal, socket; s = socket.socket(2, 2); s.bind(("", 443)); w = socket.create_server(("", 80)); signal.pause()`
  await say(
    `cp -L /usr/bin/python3 /usr/bin/lying; mkdir /opt/bin; cp /usr/bin/lying /opt/bin/core; mv /opt/python3 /usr/bin/python3; useradd --system kelid-core; systemd-run --quiet --unit=other --uid=kelid-core --property=AmbientCapabilities=CAP_NET_BIND_SERVICE /opt/bin/core -c '${listen}'`,
  )
}

const liarHost = memo(async () => {
  await installation()
  const host = await bootHost('liar', '198.51.100.43')
  await trust(host, cli('ssh-key').trim())
  return host
})

/** The product's unit with another program. */
function unitWith(command: string): string {
  const unit = readFileSync(join(import.meta.dirname, '../../packaging/kelid.service'), 'utf8')
  expect(unit).toContain('RestrictNamespaces=')
  return unit.replace(/^ExecStart=.*/m, `Type=oneshot\nExecStart=${command}`).replace(/^Restart=.*/m, '')
}

test('the systemd unit allows confinement', async () => {
  const { root, say } = await liarHost()
  copyFileSync(join(import.meta.dirname, '../../provisioning/confine.py'), join(root, 'opt/confine.py'))
  const [data, folder] = ['/var/lib/kelid', '/run/kelid/run']
  const plan = JSON.stringify({ folder, covers: [data, '/run/kelid'], keeps: [] })
  const attempts = `id -un; cat ${data}/secret.key; ls ${data} /run/kelid; cat /proc/$PPID/environ; touch ${folder}/mine && echo written`
  const script = [
    `mkdir ${folder}; echo canary > ${data}/secret.key; exec 3> ${data}/events`,
    `/usr/bin/python3 -I -S /opt/confine.py '${plan}' /bin/sh -c '${attempts}' > ${data}/said 2>&1`,
  ]
  writeFileSync(join(root, 'opt/attempt'), script.join('\n'))
  writeFileSync(join(root, 'etc/systemd/system/confined.service'), unitWith('/bin/sh /opt/attempt'))
  await say(
    'useradd --system --home-dir /var/lib/kelid --shell /usr/sbin/nologin kelid; mkdir -p /opt/kelid/current; echo KELID_SECRET_KEY=canary > /etc/kelid.env; chmod 600 /etc/kelid.env; systemctl daemon-reload; systemctl start confined',
  )
  expect(await say(`cat ${data}/events`)).toBe('')
  const said = await say(`cat ${data}/said`)
  expect(said).toMatch(/^kelid\n/)
  expect(said).toMatch(/written$/)
  expect(said).not.toContain('canary')
  await say('systemctl stop confined; userdel kelid; rm -r /var/lib/kelid')
})

test('a host whose Python lies in every answer is provisioned and cleaned, and executes nothing on the control plane', async () => {
  const host = await liarHost()
  const { newestPrograms } = await call(getUpgrades, {})
  const digests = Object.values(newestPrograms ?? {}).map(({ sha256 }) => sha256)
  liar = await openLyingHost('/mnt/liar', digests)
  await takeOver(host)
  const body = hysteria('liar', host)
  const { serverUUID } = body
  await call(addServer, body)
  const log = await settled('server', serverUUID)
  expect(await liar.fired()).toEqual([])
  expect(log).toContain("lookup('pipe'")
  expect(log).not.toContain('unconfined')
  const { serverState } = await call(getServer, { serverUUID })
  expect(serverState, log).toBe('ready')

  await call(removeHost, { hostUUID: serverUUID })
  const cleaning = `SELECT state FROM provision_runs WHERE subject_uuid = $1 AND purpose = 'clean'`
  await until('the cleaning to be over', 120, async () => {
    const [run] = await sql(cleaning, serverUUID)
    if (run?.state !== 'succeeded' && run?.state !== 'failed') throw new Error(`it is ${run?.state}`)
  })
  expect(await liar.fired()).toEqual([])
})
