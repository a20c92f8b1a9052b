import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { addCore, coreDirOf, listCores, sha256Of, versionOf } from '../features/provisioning/core-store.ts'
import { findProgram } from '../features/provisioning/playbook.ts'
import { systemClock } from '../lib/clock.ts'
import { processorOf, thisProcessor } from '../lib/processor.ts'
import { program } from '../lib/program.ts'
import { fromZip } from '../lib/zip.ts'
import { type Command, CommandFailure, type Desk, UsageError } from './command.ts'
import { exists } from './installation.ts'

const pinnedRelease = { module: 'github.com/xtls/xray-core/main@v1.260327.0', version: '26.3.27' }

export const coreCommand: Command = {
  name: 'core',
  operands: ['add|build|list', '[FILE]', '[VERSION]'],
  summary:
    'the core of the hosts: add a binary or a release with its digests beside it, naming its version if it is for another processor; build it with Go; or list the store',
  async run(desk, act = '', file, version) {
    const acts: Record<string, () => Promise<void>> = {
      ...(file !== undefined && { add: () => add(desk, resolve(file), version) }),
      ...(file === undefined && { build: () => build(desk), list: () => list(desk) }),
    }
    const action = acts[act]
    if (!action) throw new UsageError(`Usage: ${program} core add FILE [VERSION], core build or core list`)
    await action()
  },
}

async function add(desk: Desk, file: string, named?: string): Promise<void> {
  if (!(await exists(file))) throw new CommandFailure(`There is no file ${file}.`)
  const head = (await readFile(file)).subarray(0, 4).toString('latin1')
  if (head !== 'PK\u0003\u0004') return keep(desk, file, named)
  await refuseUnlessVouched(file)
  await inTemporary(async (folder) => {
    const binary = join(folder, 'xray')
    const content = fromZip(await readFile(file), 'xray')
    if (!content) throw new CommandFailure(`There is no file "xray" in ${file}.`)
    await writeFile(binary, content, { mode: 0o755 })
    await keep(desk, binary, named)
  })
}

/** The digest file proves where the release comes from. */
async function refuseUnlessVouched(file: string): Promise<void> {
  const digests = await readFile(`${file}.dgst`, 'utf8').catch(() => {
    throw new CommandFailure(`${file}.dgst is missing: download the file of the release's digests beside it.`)
  })
  if (!digests.toLowerCase().includes(await sha256Of(file)))
    throw new CommandFailure(`${file} is not what ${file}.dgst says: download both again.`)
}

async function keep({ config, say }: Desk, binary: string, named?: string): Promise<void> {
  const version = await versionToKeep(binary, named)
  const core = await addCore(coreDirOf(config), binary, version, systemClock.now())
  const where = core.processor === thisProcessor ? '' : ` for ${core.processor}`
  say(`Core ${core.version}${where} is in the store: sha256 ${core.sha256}.`)
  say('Hosts keep the core that they run. Upgrade them on the page "Upgrades" of the administrators.')
  if (version !== pinnedRelease.version) say(`Hosts are tested with ${pinnedRelease.version}.`)
}

/** A core for another processor cannot be asked for its version. */
async function versionToKeep(binary: string, named?: string): Promise<string> {
  const processor = (await processorOf(binary)) ?? thisProcessor
  if (processor === thisProcessor) {
    const version = await versionOf(binary)
    if (!version)
      throw new CommandFailure(`${binary} is not a core for this machine: it must be an executable Xray.`)
    return version
  }
  if (!(await readFile(binary)).includes('xtls/xray-core'))
    throw new CommandFailure(`${binary} is not a core: it must be an executable Xray.`)
  if (!named || !/^\d+(?:\.\d+)+$/.test(named))
    throw new CommandFailure(
      `${binary} is for ${processor} and cannot run here: name its version, as in "core add FILE ${pinnedRelease.version}".`,
    )
  return named
}

async function build(desk: Desk): Promise<void> {
  if (!findProgram('go'))
    throw new CommandFailure('Go is not installed: install it, or use "core add FILE" with a release.')
  await inTemporary(async (folder) => {
    desk.note(`Building ${pinnedRelease.module}; this takes a minute or two.`)
    const env = { ...process.env, GOBIN: folder, CGO_ENABLED: '0', GOFLAGS: '' }
    const args = ['install', '-trimpath', '-ldflags=-s -w', pinnedRelease.module]
    await promisify(execFile)('go', args, { env, signal: desk.signal, maxBuffer: 16_777_216 }).catch(
      (error) => {
        if (error.name === 'AbortError') throw error
        throw new CommandFailure(
          `Go could not build it: ${String(error.stderr || error.message)
            .trim()
            .split('\n')
            .at(-1)}`,
        )
      },
    )
    await keep(desk, join(folder, 'main'))
  })
}

async function list({ config, say }: Desk): Promise<void> {
  const cores = await listCores(coreDirOf(config))
  if (cores.length === 0)
    throw new CommandFailure(
      'There is no core yet: "core build" makes one where Go is installed, "core add FILE" takes a release.',
    )
  for (const core of cores) {
    const isNewest = cores.findLast(({ processor }) => processor === core.processor) === core
    const { version, processor, sha256, added } = core
    say(`${isNewest ? 'newest' : '      '}  ${version}  ${processor}  ${sha256}  added ${added.slice(0, 10)}`)
  }
}

async function inTemporary(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'kelid-core-'))
  try {
    await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
