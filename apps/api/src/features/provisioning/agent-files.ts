import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { access, chmod, copyFile, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Context } from '../../context.ts'
import { packageRoot } from '../../lib/package-root.ts'
import { type Processor, thisProcessor } from '../../lib/processor.ts'
import { sha256Of } from './core-store.ts'

const run = promisify(execFile)

export interface DigestedFile {
  readonly file: string
  readonly version: string
  readonly sha256: string
}

const agentFolder = join(packageRoot, '..', 'agent')
const builtBundle = join(agentFolder, 'dist', 'agent.mjs')

const folderOf = ({ config }: Context) => join(config.KELID_DATA_DIR, 'agent')

/** The ones of this release. Copies with their digest in the name stay for hosts that are not upgraded. */
export async function agentFiles(ctx: Context): Promise<{ runtime: DigestedFile; bundle: DigestedFile }> {
  const isBuilt = await isThere(builtBundle)
  if (!isBuilt) throw new Error('The agent is not built; run "npm run build".')
  return { runtime: await runtimeFile(ctx), bundle: await bundleFile(ctx) }
}

/** '' if it is not kept, for example because the product moved to another machine. */
export async function keptAgentFile(ctx: Context, name: 'agent' | 'node', sha256: string): Promise<string> {
  const files = await readdir(folderOf(ctx)).catch(() => [])
  const file = files.find((one) => one.startsWith(`${name}-`) && one.endsWith(`-${mark(sha256)}`))
  return file ? join(folderOf(ctx), file) : ''
}

const mark = (sha256: string) => sha256.slice(0, 16)

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )

/** Several first runs begin at once. */
const draftOf = (file: string) => `${file}-${randomUUID()}.draft`

async function bundleFile(ctx: Context): Promise<DigestedFile> {
  const { version } = JSON.parse(await readFile(join(agentFolder, 'package.json'), 'utf8'))
  const sha256 = await digestOf(builtBundle)
  const file = join(folderOf(ctx), `agent-${version}-${mark(sha256)}`)
  if (!(await isThere(file))) {
    const draft = draftOf(file)
    await mkdir(folderOf(ctx), { recursive: true })
    await copyFile(builtBundle, draft)
    await rename(draft, file)
  }
  return { file, version, sha256 }
}

const digests = new Map<string, string>()

/** Remembered, because a page of administrators shows it and Node has 100 MB. */
async function digestOf(file: string): Promise<string> {
  const { size, mtimeMs } = await stat(file)
  const key = `${file} ${size} ${mtimeMs}`
  const known = digests.get(key)
  if (known) return known
  const sha256 = await sha256Of(file)
  digests.set(key, sha256)
  return sha256
}

/** Copies the Node binary of this process, stripped if possible, which saves an eighth of its size. */
function runtimeFile(ctx: Context): Promise<DigestedFile> {
  const folder = folderOf(ctx)
  const making = runtimes.get(folder) ?? findRuntime(ctx, folder).finally(() => runtimes.delete(folder))
  runtimes.set(folder, making)
  return making
}

const runtimes = new Map<string, Promise<DigestedFile>>()

async function findRuntime(ctx: Context, folder: string): Promise<DigestedFile> {
  if ((process.config.variables as { node_shared?: boolean }).node_shared)
    throw new Error(
      'The Node.js that Kelid runs on needs libraries of this machine and cannot run on another; install the one from nodejs.org.',
    )
  return (
    (await keptRuntime(folder, thisProcessor)) ??
    keepRuntime(folder, thisProcessor, (draft) => copyOwn(ctx, draft))
  )
}

/**
 * Node for hosts with another processor than this machine. npm does not install the package by itself, and `npm ci`
 * removes it, so what is found there is kept.
 */
export async function foreignRuntime(ctx: Context, processor: Processor): Promise<DigestedFile | null> {
  const folder = folderOf(ctx)
  const kept = await keptRuntime(folder, processor)
  if (kept) return kept
  const source = join(packageRoot, '../../node_modules', `node-linux-${processor}`)
  const description = await readFile(join(source, 'package.json'), 'utf8').catch(() => '{}')
  if (JSON.parse(description).version !== version) return null
  return keepRuntime(folder, processor, (draft) => copyFile(join(source, 'bin', 'node'), draft))
}

const version = process.versions.node
const nameOf = (processor: Processor) => `node-v${version}-${processor}`

async function keptRuntime(folder: string, processor: Processor): Promise<DigestedFile | null> {
  const names = await readdir(folder).catch(() => [])
  const name = names.find((one) => one.startsWith(`${nameOf(processor)}-`) && !one.endsWith('.draft'))
  if (!name) return null
  const file = join(folder, name)
  return { file, version, sha256: await digestOf(file) }
}

async function keepRuntime(
  folder: string,
  processor: Processor,
  copyTo: (draft: string) => Promise<void>,
): Promise<DigestedFile> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, nameOf(processor))
  const draft = draftOf(path)
  try {
    // An earlier release left it without a digest in its name, and hosts have it.
    if (await isThere(path)) await rename(path, draft)
    else await copyTo(draft)
    await chmod(draft, 0o755)
    const sha256 = await sha256Of(draft)
    const file = `${path}-${mark(sha256)}`
    await rename(draft, file)
    return { file, version, sha256 }
  } finally {
    await rm(draft, { force: true })
  }
}

async function copyOwn({ log }: Context, draft: string): Promise<void> {
  await copyFile(process.execPath, draft)
  try {
    await run('strip', [draft], { timeout: 60_000 })
    const { stdout } = await run(draft, ['--version'], { timeout: 10_000 })
    if (stdout.trim() !== process.version) throw new Error('the stripped binary does not run')
  } catch (error) {
    log.info({ reason: (error as Error).message }, 'hosts get the Node binary of this machine unstripped')
    await copyFile(process.execPath, draft)
  }
}
