import type { Context } from '../../context.ts'
import { agentFiles, type DigestedFile, foreignRuntime } from './agent-files.ts'
import { coreDirOf, coreInUse } from './core-store.ts'
import { type Processor, processors, thisProcessor } from './processor.ts'
import { noAgent, obstacles } from './sentences.ts'

type PerProcessor<T> = { [Each in Processor]?: T }

/** What a run may copy. The playbook chooses by the processor of the host, which nobody knows before. */
export interface Programs {
  readonly core: PerProcessor<DigestedFile & { version: string }>
  readonly runtime: PerProcessor<DigestedFile>
  readonly bundle: DigestedFile
}

/** Returns a sentence if no host can be set up. */
export async function programsOf(ctx: Context): Promise<Programs | string> {
  const core: Programs['core'] = {}
  for (const processor of processors) {
    const used = await coreInUse(coreDirOf(ctx.config), processor)
    if (used === 'damaged') return obstacles.coreDamaged
    if (used !== 'none') core[processor] = { file: used.file, sha256: used.sha256, version: used.version }
  }
  if (Object.keys(core).length === 0) return obstacles.core
  try {
    const agent = await agentFiles(ctx)
    const runtime: Programs['runtime'] = { [thisProcessor]: agent.runtime }
    for (const processor of processors) {
      const foreign = processor === thisProcessor ? null : await foreignRuntime(ctx, processor)
      if (foreign) runtime[processor] = foreign
    }
    return { core, runtime, bundle: agent.bundle }
  } catch (error) {
    return noAgent((error as Error).message)
  }
}
