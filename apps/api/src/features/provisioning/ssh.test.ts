import { execFileSync } from 'node:child_process'
import { appendFileSync, copyFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { editHost, getAudit, getServer, getServerLog, provisionServer } from '@kelid/contract'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { runOf } from '../../../test/product.ts'
import { fingerprintOf } from '../../lib/openssh.ts'
import { acceptHostKey, hostKeyOf } from '../hosts/host-keys.ts'
import { openSecrets, sealSecrets } from '../hosts/secrets.ts'
import { workshopForAllTests } from './ansible.fixture.ts'
import { publicSshKey } from './provisioning.ts'
import { createSshd, type Sshd, withoutSshd } from './sshd.fixture.ts'

/** An unused address of this machine, on which the test starts sshd. */
const address = '127.84.22.1'
const reason = await withoutSshd(address)
const suite = reason ? describe.skip : describe

suite(`hosts that are reached by SSH${reason}`, () => {
  const shop = workshopForAllTests({ env: { KELID_ALLOW_LOCAL_HOST: 'no' } })
  let sshd: Sshd
  let folder: string

  beforeAll(async () => {
    folder = join(shop.folder, 'sshd')
    sshd = createSshd(folder, address)
    await sshd.start()
  })
  afterAll(() => sshd?.stop())

  const logOf = async (serverUUID: string) =>
    (await shop.product.admin.ask(getServerLog, { serverUUID })).ansibleLog
  const stateOf = async (serverUUID: string) =>
    (await shop.product.admin.ask(getServer, { serverUUID })).serverState
  const again = async (serverUUID: string) => {
    shop.product.clock.advance(1_000)
    await shop.product.admin.ask(provisionServer, { serverUUID })
    const { uuid } = await runOf(shop.product, serverUUID)
    await shop.run(uuid, { playbook: shop.playbook('ping:') })
  }
  const last = async (serverUUID: string) => (await logOf(serverUUID)).split('\n').at(-1)

  test("a host that does not know the product's key refuses it with a sentence; once it does, it is set up", async () => {
    const { ctx } = shop.product
    const { serverUUID, run } = await shop.server({ serverIPV4: address })
    const host = { kind: 'server', uuid: serverUUID } as const
    expect(await hostKeyOf(ctx.db, host)).toBeNull()
    await shop.run(run, { playbook: shop.playbook('ping:') })
    expect(await logOf(serverUUID)).toMatch(/The host refused the key\. Put the product's own public key.*$/)
    expect(await hostKeyOf(ctx.db, host)).toMatchObject({ fingerprint: fingerprintOf(sshd.hostKey()) })
    appendFileSync(sshd.authorized, `${await publicSshKey(ctx)}\n`)
    await again(serverUUID)
    expect(await stateOf(serverUUID)).toBe('ready')
  })

  test('another host key is refused until an administrator accepts it, which is audited', async () => {
    const { ctx, admin } = shop.product
    const { serverUUID, run } = await shop.server({ serverIPV4: address })
    const host = { kind: 'server', uuid: serverUUID } as const
    await shop.run(run, { playbook: shop.playbook('ping:') })
    expect(await stateOf(serverUUID)).toBe('ready')
    const before = await hostKeyOf(ctx.db, host)
    await sshd.stop()
    await again(serverUUID)
    expect(await last(serverUUID)).toContain('Nothing listens for SSH at port 22 of the host')
    sshd.newHostKey()
    await sshd.start()
    await again(serverUUID)
    expect(await runOf(shop.product, serverUUID)).toMatchObject({ state: 'failed' })
    expect(await last(serverUUID)).toContain('The host key at this address has changed')
    expect(await hostKeyOf(ctx.db, host)).toEqual(before)
    await ctx.atomically((tx) => acceptHostKey(ctx, tx, { email: admin.email, address: '' }, host))
    expect(await hostKeyOf(ctx.db, host)).toBeNull()
    const [entry] = (await admin.ask(getAudit, { limit: 1 })).items
    expect(entry).toMatchObject({
      auditAction: 'acceptserverhostkey',
      auditDetail: { from: before?.fingerprint },
    })
    await again(serverUUID)
    expect(await stateOf(serverUUID)).toBe('ready')
    expect(await hostKeyOf(ctx.db, host)).toMatchObject({ fingerprint: fingerprintOf(sshd.hostKey()) })
  })

  test('a host whose SSH port moved stays in service until the new port is entered, and keeps its pinned key', async () => {
    const { ctx, admin, clock } = shop.product
    const elsewhere = createSshd(join(shop.folder, 'elsewhere'), `${address}:2222`)
    const moved = createSshd(join(shop.folder, 'moved'), `${address}:2223`)
    appendFileSync(elsewhere.authorized, `${await publicSshKey(ctx)}\n`)
    for (const file of ['host', 'host.pub', 'authorized'])
      copyFileSync(join(shop.folder, 'elsewhere', file), join(shop.folder, 'moved', file))
    onTestFinished(async () => {
      await elsewhere.stop()
      await moved.stop()
    })
    await elsewhere.start()
    const { serverUUID, run } = await shop.server({ serverIPV4: address, serverSSHPort: 2222 })
    const host = { kind: 'server', uuid: serverUUID } as const
    await shop.run(run, { playbook: shop.playbook('debug:\n  msg: "{{ kelid.ssh.port }}"', 'ping:') })
    expect(await logOf(serverUUID)).toContain('"msg": "2222"')
    expect(await stateOf(serverUUID)).toBe('ready')
    const pinned = await hostKeyOf(ctx.db, host)
    expect(pinned).toMatchObject({ fingerprint: fingerprintOf(elsewhere.hostKey()) })
    expect((await shop.product.row('servers', serverUUID)).serving).toMatchObject({ sshPort: 2222 })

    await elsewhere.stop()
    await again(serverUUID)
    expect(await stateOf(serverUUID)).toBe('ready')
    expect(await last(serverUUID)).toMatch(
      /at port 2222 of the host\. .*change the SSH port on the host's page/,
    )
    const { upkeep_retry_at } = await shop.product.row('servers', serverUUID)
    expect(Number(upkeep_retry_at) - clock.now().getTime()).toBe(60_000)

    await admin.ask(editHost, { hostUUID: serverUUID, serverSSHPort: 2223 })
    await moved.start()
    await again(serverUUID)
    expect((await shop.product.row('servers', serverUUID)).serving).toMatchObject({ sshPort: 2223 })
    expect(await hostKeyOf(ctx.db, host)).toEqual(pinned)
  })

  test("a host's own key works with the line ends of Windows, and a broken key is reported as such", async () => {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, 'own')])
    appendFileSync(sshd.authorized, readFileSync(join(folder, 'own.pub')))
    const serverSSHKey = readFileSync(join(folder, 'own'), 'utf8').trim().replaceAll('\n', '\r\n')
    const own = await shop.server({ serverIPV4: address, serverSSHKey, serverSSHUsername: 'root' })
    await shop.run(own.run, { playbook: shop.playbook('ping:') })
    expect(await stateOf(own.serverUUID)).toBe('ready')

    const broken = await shop.server({
      serverIPV4: address,
      serverSSHKey: serverSSHKey.replace(/[A-Z]{3}/, 'aaa'),
    })
    await shop.run(broken.run, { playbook: shop.playbook('ping:') })
    expect(await last(broken.serverUUID)).toMatch(/refused the key|cannot be used/)
  })

  test("where the product's key was put in a password's place, the key is enough, whether a run had noted it or not", async () => {
    const { ctx, row, setRow } = shop.product
    const { serverUUID, run } = await shop.server({
      serverIPV4: address,
      serverSSHPassword: 'no longer taken',
    })
    const opened = openSecrets(ctx, 'server', await row('servers', serverUUID))
    const secrets = sealSecrets(ctx, 'server', serverUUID, { ...opened, replacePassword: true })
    await setRow('servers', serverUUID, { secrets })
    await shop.run(run, { playbook: shop.playbook('debug:\n  msg: "{{ kelid.ssh }}"', 'ping:') })
    expect(await stateOf(serverUUID)).toBe('ready')
    expect(await logOf(serverUUID)).toContain(await publicSshKey(ctx))
    expect(await hostKeyOf(ctx.db, { kind: 'server', uuid: serverUUID })).toMatchObject({
      trustsProduct: true,
    })
    await again(serverUUID)
    expect(await stateOf(serverUUID)).toBe('ready')
  })

  test('no secret is in a command line, an environment, a log or a file that others can read, at any moment', async () => {
    const password = 'Canary-of-the-password-1'
    const { serverUUID, run } = await shop.server({ serverIPV4: address, serverSSHPassword: password })
    const { product } = shop
    const seen = new Set<string>()
    let isOver = false
    const under = shop.run(run, { playbook: shop.playbook('ping:') }).finally(() => {
      isOver = true
    })
    let looks = 0
    while (!isOver) {
      for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
        for (const file of ['cmdline', 'environ'])
          try {
            const text = readFileSync(`/proc/${pid}/${file}`, 'latin1')
            if (text.includes(password) || text.includes('PRIVATE KEY'))
              seen.add(`${file}: ${text.slice(0, 200)}`)
          } catch {
            // It has ended meanwhile.
          }
      looks += 1
      await sleep(5)
    }
    await under
    expect(looks).toBeGreaterThan(5)
    expect([...seen]).toEqual([])
    expect(await last(serverUUID)).toContain('The host refused the password')
    expect(await logOf(serverUUID)).not.toContain(password)
    expect(product.logs.join('')).not.toContain(password)
  })
})
