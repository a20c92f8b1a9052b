import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getServerLog, removeHost } from '@kelid/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LyingHost, openLyingHost } from '../../../test/lying-host/lying-host.ts'
import { runOf } from '../../../test/product.ts'
import { trojanServer } from '../../../test/sample-hosts.ts'
import { agentFiles } from './agent-files.ts'
import { workshopForAllTests } from './ansible.fixture.ts'
import { findProgram } from './playbook.ts'
import { publicSshKey } from './provisioning.ts'
import { createSshd, type Sshd, withoutSshd } from './sshd.fixture.ts'

/** One for each host. */
const addresses = [2, 3, 4, 5, 6].map((number) => `127.84.22.${number}`)
const [first = '', ...others] = addresses
const reason = await withoutSshd(first)
const suite = reason ? describe.skip : describe

suite(`a host that lies in every answer${reason}`, () => {
  const shop = workshopForAllTests({ env: { KELID_ALLOW_LOCAL_HOST: 'no' } })
  let liar: LyingHost
  let sshd: Sshd
  const path = process.env.PATH

  /** The real Ansible, with facts as variables while the file `unguarded` is there. */
  function wrapAnsible(): void {
    const bin = join(shop.folder, 'bin')
    const script = `#!/bin/sh\n[ -e ${bin}/unguarded ] && export ANSIBLE_INJECT_FACT_VARS=True\nexec ${findProgram('ansible-playbook')} "$@"\n`
    mkdirSync(bin)
    writeFileSync(join(bin, 'ansible-playbook'), script, { mode: 0o755 })
    process.env.PATH = `${bin}:${path}`
  }

  beforeAll(async () => {
    const { runtime, bundle } = await agentFiles(shop.product.ctx)
    const core = createHash('sha256').update('a core').digest('hex')
    const digests = [core, runtime.sha256, bundle.sha256]
    liar = await openLyingHost(join(shop.folder, 'liar'), digests, { has_programs: true })
    sshd = createSshd(
      join(shop.folder, 'sshd'),
      first,
      'Subsystem sftp sftp-server',
      `ForceCommand ${liar.command}`,
      ...others.map((address) => `ListenAddress ${address}:22`),
    )
    writeFileSync(sshd.authorized, `${await publicSshKey(shop.product.ctx)}\n`)
    await sshd.start()
    await shop.product.settings({ certificates: { source: 'own', acmeDirectory: '', acmeEmail: '' } })
    wrapAnsible()
  })
  afterAll(async () => {
    process.env.PATH = path
    await sshd?.stop()
    await liar?.close()
  })

  const lyingServer = () => {
    const serverIPV4 = addresses.pop() ?? ''
    const serverURL = `liar${addresses.length}.example.com`
    return shop.server({ ...trojanServer(), serverIPV4, serverURL, serverTunnelType: 'ssh' })
  }

  // The whole playbook with all its files takes minutes on a busy machine.
  const patience = 600_000

  test('the real playbook provisions a lying server to the end and runs nothing that it says', {
    timeout: patience,
  }, async () => {
    const { serverUUID, run } = await lyingServer()
    await shop.run(run, {})
    expect(await liar.fired()).toEqual([])
    expect(await runOf(shop.product, serverUUID)).toMatchObject({ state: 'succeeded' })
  })

  test('the real playbook provisions and cleans a lying tunnel and runs nothing that it says', {
    timeout: patience,
  }, async () => {
    const { admin } = shop.product
    const { tunnelUUID, run } = await shop.tunnel({ tunnelIPV4: first, tunnelType: 'ssh' })
    await shop.run(run, {})
    expect(await liar.fired()).toEqual([])
    expect(await runOf(shop.product, tunnelUUID)).toMatchObject({ state: 'succeeded' })
    shop.product.clock.advance(1_000)
    await admin.ask(removeHost, { hostUUID: tunnelUUID })
    await shop.run((await runOf(shop.product, tunnelUUID)).uuid, {})
    expect(await liar.fired()).toEqual([])
    expect(await runOf(shop.product, tunnelUUID)).toMatchObject({ state: 'succeeded' })
  })

  test('nothing runs when every module fails', async () => {
    const { serverUUID, run } = await lyingServer()
    liar.fail(true)
    await shop.run(run, {}).finally(() => liar.fail(false))
    expect(await runOf(shop.product, serverUUID)).toMatchObject({ state: 'failed' })
    const { ansibleLog } = await shop.product.admin.ask(getServerLog, { serverUUID })
    expect(ansibleLog).toContain("lookup('pipe'")
    expect(await liar.fired()).toEqual([])
  })

  test("control: with facts as variables the host's program runs", async () => {
    const { run } = await lyingServer()
    const unguarded = join(shop.folder, 'bin/unguarded')
    writeFileSync(unguarded, '')
    await shop.run(run, {}).finally(() => rmSync(unguarded))
    expect(await liar.fired()).toContain('interpreter')
  })
})
