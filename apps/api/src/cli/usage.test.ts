import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createDatabase } from '../../test/database.ts'
import { namesIn, tablesLeftIn, temporaryFolder } from '../db/backup/backup.fixture.ts'
import { kelid, runKelid } from './cli.fixture.ts'
import { commands } from './commands.ts'

test('without a command, with help and with --help it lists the commands', async () => {
  const outcomes = await Promise.all([[], ['help'], ['--help'], ['-h']].map((args) => runKelid(args)))
  for (const { code, stdout, stderr } of outcomes) {
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const { name, summary: says } of commands)
      expect(stdout).toMatch(new RegExp(`^  ${name} .*${says}$`, 'm'))
  }
})

test('help needs no valid environment, and everything else says which variable is wrong', async () => {
  expect((await kelid(['help'], { PORT: 'seven' })).code).toBe(0)
  expect(await runKelid(['check'], { PORT: 'seven' })).toMatchObject({
    code: 1,
    stderr: 'PORT must be a whole number from 0 to 65535; it is "seven".\n',
  })
})

test('the program ends with the code of the usage error and prints no result', async () => {
  expect(await runKelid(['destroy'])).toEqual({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^There is no command "destroy"/),
  })
})

test.each([
  [['destroy'], /There is no command "destroy"/],
  [['check', 'a', 'b'], /^Usage: npm run kelid -- check \[--unsealed\] \[FILE\]$/m],
  [['backup', '--unsealed', 'a'], /^Usage: .* backup FILE$/m],
  [['create-admin'], /^Usage: npm run kelid -- create-admin EMAIL$/m],
  [['create-admin', 'a@example.com', 'Secret-password-1'], /^Usage: .* create-admin EMAIL$/m],
  [['create-admin', 'nobody'], /"nobody" must be an e-mail address/],
  [['create-admin', '--password', 'x', 'a@example.com'], /Unknown option '--password'/],
  [['reset-password'], /^Usage: .* reset-password EMAIL$/m],
  [['reset-password', 'a@b'], /"a@b" must be an e-mail address/],
  [['set-level', 'a@example.com'], /^Usage: .* set-level EMAIL LEVEL$/m],
  [['set-level', 'a@example.com', '11'], /"11" must be a whole number from 0 to 10/],
  [['set-level', 'a@example.com', 'six'], /"six" must be/],
  [['set-level', 'a@example.com', '-1'], /Unknown option '-1'/],
  [['backup'], /^Usage: .* backup FILE$/m],
  [['restore', 'a', 'b'], /^Usage: .* restore \[--unsealed\] FILE$/m],
] as const)('%j is not understood', async (args, says) => {
  const { code, stdout, stderr } = await kelid(args)
  expect(stderr).toMatch(says)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
})

test('looking for a database makes none', async () => {
  const folder = await temporaryFolder()
  const env = { KELID_DATA_DIR: join(folder, 'data') }
  for (const args of [['check'], ['backup', join(folder, 'a.gz')], ['set-level', 'a@example.com', '6']]) {
    const { code, stderr } = await kelid(args, env)
    expect(stderr).toMatch(/^There is no database in .*set KELID_DATA_DIR to the folder of the installation/)
    expect(code).toBe(1)
  }
  expect(await namesIn(folder)).toEqual([])
})

test('an empty database stays empty, so that a backup can still be restored into it', async () => {
  const folder = await temporaryFolder()
  const database = await createDatabase({ isEmpty: true })
  const env = { DATABASE_URL: database.url, KELID_DATA_DIR: folder }
  for (const args of [['check'], ['reset-password', 'a@example.com'], ['backup', join(folder, 'a.gz')]]) {
    const { code, stderr } = await kelid(args, env)
    expect(stderr).toMatch(/the database is empty/i)
    expect(code).toBe(1)
  }
  expect(await tablesLeftIn(database)).toEqual([])
  expect(await namesIn(folder)).toEqual([])
  await database.close()
})

test('a server that does not answer is a sentence, without its address or password', async () => {
  const folder = await temporaryFolder()
  const env = { DATABASE_URL: 'postgres://u:hidden-word@127.0.0.1:1/none', KELID_DATA_DIR: folder }
  const { code, stdout, stderr } = await runKelid(['check'], env)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(
    /^The database does not answer: .*ECONNREFUSED.* Check DATABASE_URL and that its server runs\.\n$/,
  )
  expect(stderr).not.toContain('hidden-word')
})
