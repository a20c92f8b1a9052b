import type { Program, Programs } from '@kelid/contract'
import type { Context } from '../../context.ts'
import { type PerProcessor, type Processor, processors, thisProcessor } from '../../lib/processor.ts'
import { agentFiles, foreignRuntime, keptAgentFile } from './agent-files.ts'
import { coreDirOf, keptCore, listCores, newestCore } from './core-store.ts'
import { noAgent, obstacles } from './sentences.ts'

/** `file` is '' where the store has a program no more, so that only a host that has it can keep it. */
export type StoredPrograms = { readonly [Name in keyof Programs]: Program & { readonly file: string } }

/** The newest ones for each processor that has all of them, or the sentence that says why there are none. */
export async function newestPrograms(ctx: Context): Promise<PerProcessor<Programs> | string> {
  if ((await listCores(coreDirOf(ctx.config))).length === 0) return obstacles.core
  const files = await agentFiles(ctx).catch((error: Error) => error.message)
  if (typeof files === 'string') return noAgent(files)
  const newest: PerProcessor<Programs> = {}
  for (const processor of processors) {
    const core = await newestCore(coreDirOf(ctx.config), processor)
    const node = processor === thisProcessor ? files.runtime : await foreignRuntime(ctx, processor)
    if (core && node)
      newest[processor] = { core: programOf(core), agent: programOf(files.bundle), node: programOf(node) }
  }
  return newest
}

export const withoutFiles = ({ core, agent, node }: StoredPrograms): Programs => ({
  core: programOf(core),
  agent: programOf(agent),
  node: programOf(node),
})

const programOf = ({ version, sha256 }: Program): Program => ({ version, sha256 })

interface Wishes {
  processor: Processor | null
  wanted_programs: Programs | null
}

/**
 * What the host wants. Before its first run that is the newest for its processor, which nobody knows yet; and so it is if
 * it moves to a machine with another one.
 */
export async function programsFor(
  ctx: Context,
  { processor, wanted_programs: wanted }: Wishes,
): Promise<PerProcessor<StoredPrograms> | string> {
  // Also puts the files of this release into the store.
  const newest = await newestPrograms(ctx)
  if (typeof newest === 'string' && !wanted) return newest
  const all = {
    ...(typeof newest !== 'string' && newest),
    ...(wanted && { [processor ?? thisProcessor]: wanted }),
  }
  const stored: PerProcessor<StoredPrograms> = {}
  for (const each of processors) {
    const programs = all[each]
    if (!programs) continue
    const core = await keptCore(coreDirOf(ctx.config), programs.core.sha256)
    if (core === 'damaged') return obstacles.coreDamaged
    stored[each] = {
      core: { ...programs.core, file: core === 'none' ? '' : core.file },
      agent: { ...programs.agent, file: await keptAgentFile(ctx, 'agent', programs.agent.sha256) },
      node: { ...programs.node, file: await keptAgentFile(ctx, 'node', programs.node.sha256) },
    }
  }
  return stored
}
