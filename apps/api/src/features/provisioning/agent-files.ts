import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, chmod, copyFile, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import type { Context } from '../../context.ts'
import { packageRoot } from '../../lib/package-root.ts'
import type { Processor } from './processor.ts'

const run = promisify(execFile)

export interface DigestedFile {
  readonly file: string
  readonly sha256: string
}

const bundle = join(packageRoot, '..', 'agent', 'dist', 'agent.mjs')

export async function agentFiles(ctx: Context): Promise<{ runtime: DigestedFile; bundle: DigestedFile }> {
  const isBuilt = await isThere(bundle)
  if (!isBuilt) throw new Error('The agent is not built; run "npm run build".')
  return { runtime: await digestFile(await runtimeFile(ctx)), bundle: await digestFile(bundle) }
}

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )

async function digestFile(file: string): Promise<DigestedFile> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return { file, sha256: hash.digest('hex') }
}

/**
 * Node for hosts with another processor than this machine. npm does not install the package by itself, and `npm ci`
 * removes it, so what is found there is kept.
 */
export async function foreignRuntime(
  { config }: Context,
  processor: Processor,
): Promise<DigestedFile | null> {
  const runtime = join(config.KELID_DATA_DIR, 'agent', `node-${process.version}-${processor}`)
  if (await isThere(runtime)) return digestFile(runtime)
  const folder = join(packageRoot, '../../node_modules', `node-linux-${processor}`)
  const description = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '{}')
  if (JSON.parse(description).version !== process.versions.node) return null
  const draft = `${runtime}.${process.pid}`
  await mkdir(dirname(runtime), { recursive: true })
  await copyFile(join(folder, 'bin', 'node'), draft)
  await rename(draft, runtime)
  return digestFile(runtime)
}

/** Copies the Node binary of this process, stripped if possible, which saves an eighth of its size. */
function runtimeFile(ctx: Context): Promise<string> {
  const folder = join(ctx.config.KELID_DATA_DIR, 'agent')
  const making = runtimes.get(folder) ?? makeRuntime(ctx, folder).finally(() => runtimes.delete(folder))
  runtimes.set(folder, making)
  return making
}

const runtimes = new Map<string, Promise<string>>()

async function makeRuntime({ log }: Context, folder: string): Promise<string> {
  if ((process.config.variables as { node_shared?: boolean }).node_shared)
    throw new Error(
      'The Node.js that Kelid runs on needs libraries of this machine and cannot run on another; install the one from nodejs.org.',
    )
  const runtime = join(folder, `node-${process.version}-${process.arch}`)
  if (await isThere(runtime)) return runtime
  const draft = `${runtime}.${process.pid}`
  try {
    await mkdir(folder, { recursive: true })
    await copyFile(process.execPath, draft)
    await run('strip', [draft], { timeout: 60_000 })
    await chmod(draft, 0o755)
    const { stdout } = await run(draft, ['--version'], { timeout: 10_000 })
    if (stdout.trim() !== process.version) throw new Error('the stripped binary does not run')
    await rename(draft, runtime)
    return runtime
  } catch (error) {
    log.info({ reason: (error as Error).message }, 'hosts get the Node binary of this machine unstripped')
    return process.execPath
  } finally {
    await rm(draft, { force: true })
  }
}
