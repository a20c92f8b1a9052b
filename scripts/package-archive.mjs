import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fillAnsible } from './package-ansible.mjs'
import { billOfMaterials } from './package-materials.mjs'
import { fillPackages, packagesOf } from './package-modules.mjs'

const root = join(import.meta.dirname, '..')
const git = (...args) => execFileSync('git', ['-C', root, ...args], { encoding: 'utf8' }).trim()

const tests =
  /[.](test|fixture)[.](ts|mjs)$|[/](test-[^/]+|testbed)[.]ts$|^apps[/]api[/](test[/]|tsconfig|src[/]demo)/

/** Files of the repository that the product reads when it runs. */
const sources = [
  ...['apps/api', 'apps/agent/package.json', 'packages/contract/package.json', 'packages/contract/src'],
  ...['provisioning', 'monitoring', 'packaging', 'docs/operations.md', 'docs/hosts.md', 'docs/agent.md'],
]
const built = ['apps/web/dist', 'apps/agent/dist']

/** Places in the archive that differ from those in the repository. */
const moved = {
  'packaging/install.sh': 'install.sh',
  'packaging/ansible/ansible-playbook': 'ansible/bin/ansible-playbook',
  'packaging/ansible/run.py': 'ansible/run.py',
}

function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, to, { recursive: true, verbatimSymlinks: true })
}

function copySources(folder) {
  const files = git('ls-files', ...sources)
    .split('\n')
    .filter((file) => !tests.test(file))
  for (const file of files) copy(join(root, file), join(folder, moved[file] ?? file))
  for (const path of built) copy(join(root, path), join(folder, path))
}

/** Everything below a folder. Node's recursive listing would also follow links. */
function entriesIn(folder, below = '') {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const path = join(below, entry.name)
    return [{ path, entry }, ...(entry.isDirectory() ? entriesIn(folder, path) : [])]
  })
}

export const filesIn = (folder) =>
  entriesIn(folder)
    .filter(({ entry }) => !entry.isDirectory())
    .map(({ path }) => path)
    .sort()

/** The umask of this process and the owner's habits must not show. */
function normalizeModes(folder) {
  chmodSync(folder, 0o755)
  for (const { path, entry } of entriesIn(folder)) {
    const file = join(folder, path)
    if (entry.isSymbolicLink()) continue
    chmodSync(file, entry.isDirectory() || lstatSync(file).mode & 0o100 ? 0o755 : 0o644)
  }
}

export const checksums = (folder) =>
  filesIn(folder)
    .filter((file) => file !== 'SHA256SUMS' && lstatSync(join(folder, file)).isFile())
    .map(
      (file) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, file)))
          .digest('hex')}  ${file}\n`,
    )
    .join('')

/** Same files, same bytes: blocks of fixed size do not depend on the number of processors. */
export function pack(folder, archive, seconds, level = 6) {
  const draft = `${archive}.draft`
  const tar = [
    ...['tar', '--sort=name', '--format=gnu', '--owner=0', '--group=0', '--numeric-owner'],
    ...[`--mtime=@${seconds}`, '-C', dirname(folder), '-cf', '-', relative(dirname(folder), folder)],
  ]
  const command =
    'archive=$1 level=$2; shift 2; "$@" | xz --threads=2 --block-size=48MiB "$level" > "$archive"'
  const { status } = spawnSync(
    'bash',
    ['-o', 'pipefail', '-c', command, 'bash', draft, `-${level}`, ...tar],
    {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, LC_ALL: 'C', XZ_OPT: '', XZ_DEFAULTS: '', TAR_OPTIONS: '' },
    },
  )
  if (status !== 0) throw new Error(`${archive} could not be written`)
  renameSync(draft, archive)
}

/** Everything that a machine needs, for the processor of this one. */
export function buildArchive({ core, folder, level }) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const [commit, seconds] = git('log', '-1', '--format=%H %ct').split(' ')
  const isOfCommit = git('status', '--porcelain', '--untracked-files=no') === ''
  const name = `kelid-${version}-linux-${process.arch}`
  const temporary = mkdtempSync(join(tmpdir(), 'kelid-archive-'))
  const stage = join(temporary, name)
  try {
    mkdirSync(stage)
    copySources(stage)
    copy(core, join(stage, 'core/xray'))
    const packages = packagesOf('apps/api')
    fillPackages(packages, stage)
    const python = fillAnsible(join(stage, 'ansible'))
    writeFileSync(join(stage, 'VERSION'), `${version}\n`)
    writeFileSync(join(stage, 'COMMIT'), `${commit}${isOfCommit ? '' : ' with changes'}\n`)
    const bill = billOfMaterials({ version, commit, seconds, python, core })
    writeFileSync(join(stage, 'sbom.cdx.json'), `${JSON.stringify(bill, null, 1)}\n`)
    normalizeModes(stage)
    writeFileSync(join(stage, 'SHA256SUMS'), checksums(stage))
    chmodSync(join(stage, 'SHA256SUMS'), 0o644)
    mkdirSync(folder, { recursive: true })
    const archive = join(folder, `${name}.tar.xz`)
    pack(stage, archive, seconds, level)
    return { archive, bytes: statSync(archive).size, isOfCommit }
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}
