import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createDatabase } from '../../test/database.ts'
import { openProduct } from '../../test/product.ts'
import { temporaryFolder } from '../db/backup/backup.fixture.ts'
import { coreInUse, newestCore } from '../features/provisioning/core-store.ts'
import { type Processor, thisProcessor } from '../lib/processor.ts'
import { kelid, runKelid } from './cli.fixture.ts'

const digestOf = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
const script = (version: string) =>
  `#!/bin/sh\necho "Xray ${version} (Xray, Penetrates Everything.) go1.26"\n`

/** An archive as releases are, with one file in it. */
function zipOf(name: string, content: string): Buffer {
  const packed = deflateRawSync(content)
  const head = (mark: number, size: number) => {
    const bytes = Buffer.alloc(size)
    bytes.writeUInt32LE(mark)
    return bytes
  }
  const local = head(0x04034b50, 30)
  local.writeUInt16LE(name.length, 26)
  const entry = head(0x02014b50, 46)
  entry.writeUInt16LE(8, 10)
  entry.writeUInt32LE(packed.length, 20)
  entry.writeUInt16LE(name.length, 28)
  const body = Buffer.concat([local, Buffer.from(name), packed])
  const directory = Buffer.concat([entry, Buffer.from(name)])
  const end = head(0x06054b50, 22)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(body.length, 16)
  return Buffer.concat([body, directory, end])
}

test('a core is added with its digest and version, the last one is used, and a damaged one is detected', async () => {
  const folder = await temporaryFolder()
  const env = { KELID_DATA_DIR: join(folder, 'data') }
  const binary = join(folder, 'xray')
  expect(await runKelid(['core', 'list'], env)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/There is no core yet/),
  })
  writeFileSync(binary, script('26.3.27'), { mode: 0o755 })
  expect(await runKelid(['core', 'add', binary], env)).toMatchObject({ code: 0 })
  writeFileSync(binary, script('26.4.1'), { mode: 0o755 })
  const second = await runKelid(['core', 'add', binary], env)
  expect(second.stdout).toContain('Hosts are tested with 26.3.27.')
  const { stdout } = await runKelid(['core', 'list'], env)
  expect(stdout.split('\n').map((line) => line.trim().split(/\s+/).slice(0, 4))).toEqual([
    ['26.3.27', thisProcessor, digestOf(script('26.3.27')), 'added'],
    ['newest', '26.4.1', thisProcessor, digestOf(script('26.4.1'))],
    [''],
  ])
  const store = join(folder, 'data', 'core')
  const used = await coreInUse(store)
  expect(used).toMatchObject({ version: '26.4.1' })
  writeFileSync((used as { file: string }).file, 'something else')
  expect(await coreInUse(store)).toBe('damaged')
})

test('a core for another processor is kept beside that of this machine, with the version that is named', async () => {
  const folder = await temporaryFolder()
  const env = { KELID_DATA_DIR: join(folder, 'data') }
  const other: Processor = thisProcessor === 'x64' ? 'arm64' : 'x64'
  const elf = (mark: string) => {
    const header = Buffer.alloc(64)
    header.write('\x7fELF', 'latin1')
    header.writeUInt16LE(other === 'arm64' ? 0xb7 : 0x3e, 18)
    return Buffer.concat([header, Buffer.from(mark)])
  }
  const [own, foreign] = [join(folder, 'xray'), join(folder, 'xray-other')]
  writeFileSync(own, script('26.3.27'), { mode: 0o755 })
  expect(await kelid(['core', 'add', own], env)).toMatchObject({ code: 0 })
  writeFileSync(foreign, elf('busybox'))
  expect((await kelid(['core', 'add', foreign, '26.3.27'], env)).stderr).toContain('is not a core')
  writeFileSync(foreign, elf('github.com/xtls/xray-core'))
  for (const args of [[], ['new']])
    expect((await kelid(['core', 'add', foreign, ...args], env)).stderr).toContain(
      `is for ${other} and cannot run here: name its version`,
    )
  const added = await kelid(['core', 'add', foreign, '26.3.27'], env)
  expect(added.stdout).toContain(`Core 26.3.27 for ${other} is in the store`)
  const { stdout } = await kelid(['core', 'list'], env)
  expect(stdout.match(/^newest.*$/gm)?.map((line) => line.split(/\s+/)[2])).toEqual([thisProcessor, other])
  const store = join(folder, 'data', 'core')
  expect(await coreInUse(store)).toMatchObject({ sha256: digestOf(script('26.3.27')) })
  expect(await newestCore(store, other)).toMatchObject({ version: '26.3.27', processor: other })
})

test('a release is taken only as its digests say', async () => {
  const folder = await temporaryFolder()
  const env = { KELID_DATA_DIR: join(folder, 'data') }
  const release = join(folder, 'Xray-linux-64.zip')
  const zip = zipOf('xray', script('26.3.27'))
  writeFileSync(release, zip)
  expect((await kelid(['core', 'add', release], env)).stderr).toContain('.dgst is missing')
  writeFileSync(`${release}.dgst`, `MD5= 00\nSHA2-256= ${'0'.repeat(64)}\n`)
  expect((await kelid(['core', 'add', release], env)).stderr).toContain('is not what')
  writeFileSync(`${release}.dgst`, `MD5= 00\nSHA2-256= ${digestOf(zip)}\n`)
  expect(await kelid(['core', 'add', release], env)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      `^Core 26.3.27 is in the store: sha256 ${digestOf(script('26.3.27'))}.\nHosts keep the core that they run.`,
    ),
  })
  writeFileSync(release, zipOf('readme', 'nothing'))
  writeFileSync(`${release}.dgst`, digestOf(readFileSync(release)))
  expect((await kelid(['core', 'add', release], env)).stderr).toContain('There is no file "xray"')
})

test('a file that is no core and an unknown option are refused', async () => {
  const folder = await temporaryFolder()
  const env = { KELID_DATA_DIR: join(folder, 'data'), PATH: '/nowhere' }
  const file = join(folder, 'cat')
  writeFileSync(file, '#!/bin/sh\necho hello\n', { mode: 0o755 })
  expect((await kelid(['core', 'add', file], env)).stderr).toContain('is not a core for this machine')
  expect((await kelid(['core', 'add', join(folder, 'none')], env)).stderr).toContain('There is no file')
  expect(await runKelid(['core', 'build'], env)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/Go is not installed/),
  })
  for (const args of [['core'], ['core', 'add'], ['core', 'list', 'x'], ['core', 'burn']])
    expect(await kelid(args, env), args.join(' ')).toMatchObject({ code: 2 })
})

test("the product's own public key is printed as authorized_keys has it, and is always the same", async () => {
  const folder = await temporaryFolder()
  const database = await createDatabase()
  const product = await openProduct({ database })
  const env = { DATABASE_URL: database.url, KELID_DATA_DIR: folder }
  const [first, second] = [await runKelid(['ssh-key'], env), await kelid(['ssh-key'], env)]
  expect(first.stdout).toMatch(/^ssh-ed25519 AAAA[A-Za-z0-9+/]{60,} kelid\n$/)
  expect(second.stdout).toBe(first.stdout)
  const file = join(folder, 'key.pub')
  writeFileSync(file, first.stdout)
  execFileSync('ssh-keygen', ['-l', '-f', file])
  await product.close()
  await database.close()
})
