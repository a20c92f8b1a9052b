import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { xray } from '../../../test/real/programs.ts'
import { playIn, withoutAnsible, workshopForAllTests } from './ansible.fixture.ts'
import { createRunFolder } from './run-folder.ts'
import { whyFailed } from './sentences.ts'

const reason = withoutAnsible || (xray ? '' : ' (left out: no core has been built on this machine)')
const role = join(import.meta.dirname, '../../../../../provisioning/roles/core')

describe.skipIf(reason)(`the core tests the additional configuration of a server${reason}`, () => {
  const shop = workshopForAllTests()

  /** The tasks of the playbook with the core of this machine, as the user of the test. */
  function tasks(): string {
    const file = join(shop.folder, 'extra.yml')
    const text = readFileSync(join(role, 'tasks/extra.yml'), 'utf8')
    const here = text.replace('runuser -u kelid-core{{ own }} -- {{ core_program }}', xray)
    expect(here).not.toBe(text)
    writeFileSync(file, here)
    return file
  }
  const play = async (settings: object) => {
    const outbounds = [{ tag: 'abroad', protocol: 'shadowsocks', settings: { servers: [settings] } }]
    const extra = { outbounds, rules: [{ domain: ['domain:example.com'], outboundTag: 'abroad' }] }
    const way = { by: 'local', sudo: null } as const
    const folder = await createRunFolder({ ipv4: '192.0.2.1', sshPort: 22 }, way, { server: { extra } })
    const playbook = shop.playbook(`include_vars: ${role}/vars/main.yml`, `include_tasks: ${tasks()}`)
    return playIn(folder, playbook)
  }
  const server = { address: '192.0.2.4', port: 443, password: '{{ 7 * 7 }}' }

  test('one that it loads goes on, and its texts are no templates', async () => {
    expect(whyFailed(await play({ ...server, method: 'aes-256-gcm' }), 22)).toBeNull()
  })

  test('one that it does not load ends the run with its message', async () => {
    const outcome = await play({ ...server, method: 'rot13' })
    expect(whyFailed(outcome, 22)).toContain('The core refuses the additional configuration of this server')
    expect(outcome.output).toContain('unknown cipher method: rot13')
  })
})
