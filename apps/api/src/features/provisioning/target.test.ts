import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openSites } from '../../../test/sites.ts'
import { playIn, withoutAnsible, workshopForAllTests } from './ansible.fixture.ts'
import { provisioningDir } from './playbook.ts'
import { createRunFolder } from './run-folder.ts'
import { whyFailed } from './sentences.ts'

describe.skipIf(withoutAnsible)(`a run checks the site that strangers see${withoutAnsible}`, () => {
  const shop = workshopForAllTests()
  const sites = openSites()
  afterAll(() => sites.close())

  /** The last tasks of the playbook's file, which need no host; sites cannot have port 443 here. */
  function tasks(port: number): string {
    const file = join(shop.folder, `target-${port}.yml`)
    const text = readFileSync(join(provisioningDir, 'roles/core/tasks/reality.yml'), 'utf8')
    const check = text.slice(text.indexOf('- name: Can the host reach'))
    expect(check).toContain(':443\n')
    writeFileSync(file, check.replace(':443\n', `:${port}\n`))
    return file
  }
  async function play(port: number) {
    const target = '127.0.0.1'
    const reality = { target, keys: [{ private: 'key', short_id: '00' }] }
    const way = { by: 'local', sudo: null } as const
    const description = { server: { name: 'www.shop.example', tunnel_type: '', reality } }
    const folder = await createRunFolder({ ipv4: '192.0.2.1', sshPort: 22 }, way, description)
    const playbook = shop.playbook(
      `include_vars: ${join(provisioningDir, 'service.yml')}`,
      `include_vars: ${join(provisioningDir, 'vpn-types.yml')}`,
      `include_vars: ${join(provisioningDir, 'roles/checks/vars/main.yml')}`,
      `include_tasks: ${tasks(port)}`,
    )
    const outcome = await playIn(folder, playbook)
    return { outcome, sentence: whyFailed(outcome, 22) }
  }

  test('one with TLS 1.3 and HTTP/2 goes on, whoever signed its certificate', async () => {
    const { outcome, sentence } = await play(await sites.open('www.shop.example', { isSelfSigned: true }))
    expect(sentence, outcome.output).toBeNull()
  })

  test.each([
    ['does not answer', null],
    ['has TLS 1.2 only', { maxVersion: 'TLSv1.2' as const }],
    ['has no HTTP/2', { ALPNProtocols: ['http/1.1'] }],
  ])('one that %s ends the run with what to do', async (_, options) => {
    const { outcome, sentence } = await play(options ? await sites.open('www.shop.example', options) : 1)
    expect(outcome.output).toContain(
      'KELID:TARGET_UNREACHABLE 127.0.0.1 does not answer this host by TLS 1.3',
    )
    expect(sentence).toContain('The host cannot reach the site that strangers are to see')
    expect(sentence).toMatch(/then set the host up again\.$/)
  })
})
