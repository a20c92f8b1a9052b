import { execFile } from 'node:child_process'
import { access, chmod, copyFile, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Context } from '../../context.ts'
import { packageRoot } from '../../lib/package-root.ts'
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

/** null if it is not kept, for example because the product moved to another machine. */
export async function keptAgentFile(
  ctx: Context,
  name: 'agent' | 'node',
  sha256: string,
): Promise<string | null> {
  const files = await readdir(folderOf(ctx)).catch(() => [])
  const file = files.find((one) => one.startsWith(`${name}-`) && one.endsWith(`-${mark(sha256)}`))
  return file ? join(folderOf(ctx), file) : null
}

const mark = (sha256: string) => sha256.slice(0, 16)

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )

async function bundleFile(ctx: Context): Promise<DigestedFile> {
  const { version } = JSON.parse(await readFile(join(agentFolder, 'package.json'), 'utf8'))
  const sha256 = await digestOf(builtBundle)
  const file = join(folderOf(ctx), `agent-${version}-${mark(sha256)}`)
  if (!(await isThere(file))) {
    const draft = `${file}.${process.pid}`
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
  await mkdir(folder, { recursive: true })
  const version = process.version.slice(1)
  const name = `node-v${version}-${process.arch}`
  const kept = (await readdir(folder)).find((file) => file.startsWith(`${name}-`) && !file.endsWith('.draft'))
  const file = kept ? join(folder, kept) : await makeRuntime(ctx, join(folder, name))
  return { file, version, sha256: await digestOf(file) }
}

async function makeRuntime({ log }: Context, name: string): Promise<string> {
  const draft = `${name}-${process.pid}.draft`
  try {
    // An earlier release left it without a digest in its name, and hosts have it.
    if (await isThere(name)) await rename(name, draft)
    else
      await stripOwn(draft).catch(async (error: Error) => {
        log.info({ reason: error.message }, 'hosts get the Node binary of this machine unstripped')
        await copyFile(process.execPath, draft)
      })
    await chmod(draft, 0o755)
    const file = `${name}-${mark(await sha256Of(draft))}`
    await rename(draft, file)
    return file
  } finally {
    await rm(draft, { force: true })
  }
}

async function stripOwn(draft: string): Promise<void> {
  await copyFile(process.execPath, draft)
  await run('strip', [draft], { timeout: 60_000 })
  const { stdout } = await run(draft, ['--version'], { timeout: 10_000 })
  if (stdout.trim() !== process.version) throw new Error('the stripped binary does not run')
}
