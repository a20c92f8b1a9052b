import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getServerLog, getTunnelLog } from '@kelid/contract'
import { describe, expect, test } from 'vitest'
import { trojanServer } from '../../../test/sample-hosts.ts'
import { playIn, withoutAnsible, workshopForAllTests } from './ansible.fixture.ts'
import { payloads } from './injection.fixture.ts'

import { createRunFolder } from './run-folder.ts'
import type { WayIn } from './way-in.ts'

const suite = withoutAnsible ? describe.skip : describe

suite(`what somebody typed is never an instruction to the real Ansible${withoutAnsible}`, () => {
  const shop = workshopForAllTests()

  const arsenal = (name: string) => {
    const folder = join(shop.folder, name)
    mkdirSync(folder)
    return {
      texts: payloads((number) => `touch ${folder}/${number}`),
      fired: () => readdirSync(folder),
      clear: () => rmSync(folder, { recursive: true }),
    }
  }
  /** Every place in which a text of a server or tunnel stands in a description. */
  const described = (text: string) => ({
    host: { uuid: text, kind: text, name: text },
    ssh: { authorized_key: text },
    agent: { url: text, ca: text, certificate: text, key: text },
    certificate: { source: text, directory: text, email: text, name: text, chain: text, key: text },
    server: {
      vpn_type: text,
      vpn: { protocol: text, transport: text, security: text, network: text },
      name: text,
      tunnel_type: text,
      relay_keys: [text],
      ws: { path: text, id: text },
    },
    tunnel: {
      type: text,
      key: text,
      exits: [{ uuid: text, name: text, ipv4: text, ssh_host_key: text, ca: text }],
    },
  })
  const local: WayIn = { by: 'local', sudo: null }
  const readAll = () =>
    shop.playbook(
      [
        'debug:',
        '  msg: "{{ item }} {{ item.server.name }} {{ item.host.name }} {{ item.tunnel.exits[0].name }} {{ item.server.relay_keys | join }}"',
        'loop: "{{ kelid.cases }}"',
        'loop_control:',
        '  label: case',
      ].join('\n'),
      ['copy:', `  dest: ${shop.folder}/written`, '  content: "{{ kelid.cases | to_json }}"'].join('\n'),
      [
        'set_fact:',
        "  again: \"{{ kelid.cases | map(attribute='server') | map(attribute='name') | list }}\"",
      ].join('\n'),
      ['debug:', '  msg: "{{ again }} {{ hostvars[inventory_hostname].again | to_json }}"'].join('\n'),
    )

  test('200 or more payloads in every field of a description: none runs, and all arrive unchanged', async () => {
    const { texts, fired } = arsenal('guarded')
    expect(texts.length).toBeGreaterThanOrEqual(200)
    const folder = await createRunFolder({ ipv4: '192.0.2.1', sshPort: 22 }, local, {
      cases: texts.map(described),
    })
    const { code, counts } = await playIn(folder, readAll())
    expect({ code, failures: counts?.failures }).toEqual({ code: 0, failures: 0 })
    expect(fired()).toEqual([])
    const written = JSON.parse(readFileSync(join(shop.folder, 'written'), 'utf8'))
    expect(written.map((one: { server: { name: string } }) => one.server.name)).toEqual(texts)
  })

  test('control: without the guard the same payloads run', async () => {
    const { texts, fired } = arsenal('unguarded')
    const folder = await createRunFolder({ ipv4: '192.0.2.1', sshPort: 22 }, local, {})
    writeFileSync(
      join(folder, 'vars.json'),
      JSON.stringify({ kelid: { cases: texts.slice(0, 4).map(described) } }),
    )
    await playIn(folder, readAll())
    expect(fired().length).toBeGreaterThanOrEqual(3)
  })

  test('user, password, sudo password and key of a host do not run either; without the guard they do', async () => {
    const { texts, fired } = arsenal('credentials')
    const hosts: Record<string, unknown> = {}
    const unguarded: Record<string, unknown> = {}
    for (const [number, text] of texts.entries()) {
      const way: WayIn =
        number % 2
          ? { by: 'password', user: text, password: text, key: text, sudo: { password: text }, pinned: null }
          : { by: 'key', user: text, key: text, sudo: { password: text }, pinned: null }
      const folder = await createRunFolder({ ipv4: '192.0.2.1', sshPort: 22 }, way, {})
      const inventory = readFileSync(join(folder, 'inventory.json'), 'utf8')
      const { target } = JSON.parse(inventory).all.hosts
      rmSync(folder, { recursive: true })
      // Nobody is called: what is typed is only read, as for any connection.
      hosts[`h${number}`] = { ...target, ansible_connection: 'local', ansible_become: false }
      if (number < 6) unguarded[`h${number}`] = bare(hosts[`h${number}`])
    }
    const playbook = shop.playbook(
      'debug:\n  msg: "{{ hostvars[inventory_hostname].ansible_user }} {{ ansible_password | default(\'\') }} {{ ansible_become_password }}"',
      'command: "true"',
    )
    writeFileSync(
      playbook,
      readFileSync(playbook, 'utf8')
        .replace('hosts: target', 'hosts: all')
        .replace('command: "true"', 'ping:\n      when: inventory_hostname in ["h0", "h1", "h7"]'),
    )
    const run = async (inventory: object) => {
      const folder = await createRunFolder({ ipv4: '192.0.2.1', sshPort: 22 }, local, {})
      writeFileSync(join(folder, 'inventory.json'), JSON.stringify({ all: { hosts: inventory } }))
      return playIn(folder, playbook)
    }
    expect((await run(hosts)).code).toBe(0)
    expect(fired()).toEqual([])
    await run(unguarded)
    expect(fired().length).toBeGreaterThan(0)
  })

  test('a payload in every column of a server row does not run', async () => {
    const { texts, fired } = arsenal('columns')
    const [text = '', secret = ''] = texts
    const { serverUUID, run } = await shop.server()
    const { ctx, admin, row, setRow } = shop.product
    const fields = Object.keys((await row('servers', serverUUID)).details)
    const access = { serverSSHUsername: secret, serverSSHPassword: secret, serverSSHKey: secret }
    const secrets = JSON.stringify({ ...access, replacePassword: true })
    await setRow('servers', serverUUID, {
      name: text,
      url: text,
      details: JSON.stringify(Object.fromEntries(fields.map((name) => [name, text]))),
      secrets: ctx.seal.close(`servers.secrets.${serverUUID}`, secrets),
    })
    await shop.run(run, {
      playbook: shop.playbook('debug:\n  msg: "{{ kelid }} {{ kelid.server.name }} {{ kelid.host.name }}"'),
    })
    expect(fired()).toEqual([])
    const { ansibleLog, ansibleState } = await admin.ask(getServerLog, { serverUUID })
    expect(ansibleLog).toContain("lookup('pipe'")
    expect(ansibleState).toBe('ready')
  })

  test('a payload in every column of a tunnel and of the server behind it does not run', async () => {
    const { texts, fired } = arsenal('tunnel-columns')
    const [text = '', secret = ''] = texts
    const { ctx, admin, setRow } = shop.product
    const { serverUUID } = await shop.server({ ...trojanServer(), serverIPV4: '192.0.2.20' })
    const serving = { name: text, ipv4: text, port: 443, hostKey: text, isOwnAuthority: false }
    const relay = JSON.stringify({ path: secret, id: secret })
    await setRow('servers', serverUUID, {
      name: text,
      url: text,
      serving: JSON.stringify(serving),
      relay_secrets: ctx.seal.close(`servers.relay_secrets.${serverUUID}`, relay),
    })
    const { tunnelUUID, run } = await shop.tunnel()
    const access = { tunnelSSHUsername: secret, tunnelSSHPassword: secret, tunnelSSHKey: secret }
    const secrets = JSON.stringify({ ...access, replacePassword: true })
    await setRow('tunnels', tunnelUUID, {
      name: text,
      url: text,
      secrets: ctx.seal.close(`tunnels.secrets.${tunnelUUID}`, secrets),
      relay_key: ctx.seal.close(`tunnels.relay_key.${tunnelUUID}`, secret),
      relay_public_key: text,
    })
    await shop.run(run, {
      playbook: shop.playbook(
        'debug:\n  msg: "{{ kelid }} {{ kelid.host.name }} {{ kelid.tunnel.key }} {{ kelid.tunnel.exits[0].name }}"',
      ),
    })
    expect(fired()).toEqual([])
    const { ansibleLog, ansibleState } = await admin.ask(getTunnelLog, { tunnelUUID })
    expect(ansibleLog).toContain("lookup('pipe'")
    expect(ansibleState).toBe('ready')
  })
})

const bare = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, one) => one?.__ansible_unsafe ?? one)
