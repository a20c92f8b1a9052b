import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { chmod, copyFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import * as z from 'zod/mini'
import type { Config } from '../../config.ts'
import { type Processor, processorOf, processors, thisProcessor } from '../../lib/processor.ts'

export interface Core {
  version: string
  processor: Processor
  sha256: string
  file: string
  added: string
}

export const coreDirOf = ({ KELID_CORE_DIR, KELID_DATA_DIR }: Config): string =>
  resolve(KELID_CORE_DIR || join(KELID_DATA_DIR, 'core'))

const shape = z.array(
  z.object({
    version: z.string(),
    /** An earlier release stored only cores that ran on its own machine. */
    processor: z._default(z.enum(processors), thisProcessor),
    sha256: z.string(),
    file: z.string(),
    added: z.string(),
  }),
)
const indexOf = (dir: string) => join(dir, 'cores.json')

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk)
  return hash.digest('hex')
}

/** Ordered by addition; the last one for a processor is the newest there. File names are relative to the folder. */
export async function listCores(dir: string): Promise<Core[]> {
  try {
    return shape.parse(JSON.parse(await readFile(indexOf(dir), 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

export const newestCore = async (dir: string, processor: Processor): Promise<Core | undefined> =>
  (await listCores(dir)).findLast((one) => one.processor === processor)

/** What the control plane probes with: the newest core that hosts run already, so that adding one changes nothing. */
export async function coreInUse(
  dir: string,
  onHosts: readonly string[] = [],
): Promise<Core | 'none' | 'damaged'> {
  const cores = (await listCores(dir)).filter(({ processor }) => processor === thisProcessor)
  return verified(dir, cores.findLast(({ sha256 }) => onHosts.includes(sha256)) ?? cores.at(-1))
}

export const keptCore = async (dir: string, sha256: string): Promise<Core | 'none' | 'damaged'> =>
  verified(
    dir,
    (await listCores(dir)).find((core) => core.sha256 === sha256),
  )

async function verified(dir: string, core: Core | undefined): Promise<Core | 'none' | 'damaged'> {
  if (!core) return 'none'
  const file = join(dir, core.file)
  const digest = await sha256Of(file).catch(() => '')
  return digest === core.sha256 ? { ...core, file } : 'damaged'
}

export async function versionOf(file: string): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)(file, ['version'], { timeout: 10_000, env: {} })
    return /^Xray (\d+(?:\.\d+)+)\b/.exec(stdout)?.[1] ?? null
  } catch {
    return null
  }
}

export async function addCore(dir: string, binary: string, version: string, now: Date): Promise<Core> {
  await mkdir(dir, { recursive: true, mode: 0o755 })
  const sha256 = await sha256Of(binary)
  const file = `core-${version}-${sha256.slice(0, 12)}`
  const draft = join(dir, `${file}.draft`)
  await copyFile(binary, draft)
  await chmod(draft, 0o755)
  await rename(draft, join(dir, file))
  const processor = (await processorOf(binary)) ?? thisProcessor
  const core = { version, processor, sha256, file, added: now.toISOString() }
  const others = (await listCores(dir)).filter((one) => one.sha256 !== sha256)
  await writeFile(`${indexOf(dir)}.draft`, `${JSON.stringify([...others, core], null, 2)}\n`)
  await rename(`${indexOf(dir)}.draft`, indexOf(dir))
  return core
}
