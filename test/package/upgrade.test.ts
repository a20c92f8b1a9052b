import { basename } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { given } from './given.ts'
import { archives, bootMachine, type Machine } from './machine.ts'
import { nextVersion } from './unpacked.ts'

const migration = { 'apps/api/migrations/9999-next.sql': () => 'CREATE TABLE next_version (id int);\n' }
/** It migrates the database and then ends. */
const broken = {
  ...migration,
  'apps/api/src/start.ts': (text: string) =>
    text.replace('  const { config } = ctx\n', "  throw new Error('broken on purpose')\n"),
}

describe.skipIf(given.machines.length === 0)('an installation', () => {
  let machine: Machine
  beforeAll(async () => {
    machine = await bootMachine('upgraded', given.machines[0] ?? '')
    await machine.say(`tar -xJf ${archives}/${basename(given.archive)} -C /root`)
    await machine.say(`/root/${basename(given.archive, '.tar.xz')}/install.sh --unattended`)
    await machine.say('kelid create-admin kept@example.org')
  })

  const isIntact = async (version: string) => {
    expect(await machine.say('kelid status')).toBe(`Kelid ${version} runs.\nIt answers.`)
    expect(await machine.say('kelid check')).toContain('The ledger adds up')
    expect((await machine.run('kelid create-admin kept@example.org')).stderr).toContain(
      'There is already a user',
    )
  }

  test('is upgraded, and goes back', async () => {
    expect((await machine.run('kelid rollback')).stderr).toContain('There is no version before this one.')
    expect(await machine.say(`kelid upgrade ${archives}/${nextVersion('0.1.1')}`)).toContain(
      'Version 0.1.1 runs.',
    )
    await isIntact('0.1.1')
    expect(await machine.say('kelid rollback')).toBe('Version 0.1.0 runs.')
    await isIntact('0.1.0')
  })

  test('keeps its version when an archive is damaged or of the same version', async () => {
    const file = `${archives}/${basename(given.archive)}`
    const same = await machine.run(`kelid upgrade ${file}`)
    expect(same).toMatchObject({ code: 1, stderr: 'Version 0.1.0 runs already.\n' })
    const cut = await machine.run(
      `head -c 20000000 ${file} > /root/cut.tar.xz; kelid upgrade /root/cut.tar.xz`,
    )
    expect(cut).toMatchObject({ code: 1, stderr: expect.stringContaining('is damaged') })
    await isIntact('0.1.0')
    expect(await machine.say('ls -A /opt/kelid | grep unpacked || true')).toBe('')
  })

  test('goes back by itself, with its database, when the new version does not start', async () => {
    const { code, stdout, stderr } = await machine.run(
      `kelid upgrade ${archives}/${nextVersion('0.1.2', broken)}`,
    )
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Version 0.1.0 runs again'),
    })
    expect(stderr).toContain('broken on purpose')
    expect(await machine.say('readlink /opt/kelid/current')).toBe('0.1.0')
    expect(await machine.say('ls -A /opt/kelid')).toBe('0.1.0\n0.1.1\n0.1.2\ncurrent\nprevious')
    expect(stdout).toContain('The database was restored from')
    await isIntact('0.1.0')
  })

  test('says what a way back over a migration costs', async () => {
    await machine.say(`kelid upgrade ${archives}/${nextVersion('0.1.3', migration)}`)
    await isIntact('0.1.3')
    const { code, stderr } = await machine.run('kelid rollback')
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('loses everything since'),
    })
    await isIntact('0.1.3')
  })
})
