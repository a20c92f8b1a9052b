import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getServerLog } from '@kelid/contract'
import { describe, expect, test } from 'vitest'
import { withoutAnsible, workshopForAllTests } from './ansible.fixture.ts'
import { newCertificate } from './certificates.fixture.ts'

const suite = withoutAnsible ? describe.skip : describe

suite(`certificates that the real Ansible reads${withoutAnsible}`, () => {
  const shop = workshopForAllTests()
  const name = 'read.example.com'

  async function runWith(chain: string, key: string) {
    const { serverUUID, run } = await shop.server({ serverURL: name })
    const folder = join(shop.folder, `it's of ${serverUUID}`)
    mkdirSync(folder)
    writeFileSync(join(folder, 'chain.pem'), chain)
    writeFileSync(join(folder, 'key.pem'), key)
    await shop.run(run, { playbook: shop.playbook(`keep_certificate:\n  folder: "${folder}"`) })
    const { ansibleLog } = await shop.product.admin.ask(getServerLog, { serverUUID })
    const kept = await shop.product.sql('SELECT name FROM host_certificates WHERE use = $1', 'acme')
    await shop.product.sql('DELETE FROM servers WHERE uuid = $1', serverUUID)
    return { log: ansibleLog, kept: kept.map((row) => row.name) }
  }

  test('what is too long does not reach the control plane; a certificate does, and not the log', async () => {
    const { chain, key } = newCertificate({ name, now: shop.product.clock.now() })
    const long = await runWith(`${chain}${'#'.repeat(70_000)}`, key)
    expect(long).toMatchObject({ kept: [] })
    expect(long.log).toContain('ok=1')
    const { log, kept } = await runWith(chain, key)
    expect(kept).toEqual([name])
    expect(log).toContain('ok=1')
    expect(log).not.toMatch(/BEGIN|not kept/)
    expect(log).not.toContain(key.split('\n')[1])
  })
})
