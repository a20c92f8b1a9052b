import type { Programs } from '@kelid/contract'
import type { Context } from '../../context.ts'
import { agentFiles, keptAgentFile } from './agent-files.ts'
import { coreDirOf, keptCore, listCores } from './core-store.ts'
import { noAgent, obstacles } from './sentences.ts'

/** Files of the store; '' where it has a program no more, so that only a host that has it can keep it. */
export interface ProgramFiles {
  programs: Programs
  files: Record<keyof Programs, string>
}

/** The newest ones, or the sentence that says why there are none. */
export async function newestPrograms(ctx: Context): Promise<Programs | string> {
  const core = (await listCores(coreDirOf(ctx.config))).at(-1)
  if (!core) return obstacles.core
  const agent = await agentFiles(ctx).catch((error: Error) => error.message)
  if (typeof agent === 'string') return noAgent(agent)
  const { bundle, runtime } = agent
  return {
    core: { version: core.version, sha256: core.sha256 },
    agent: { version: bundle.version, sha256: bundle.sha256 },
    node: { version: runtime.version, sha256: runtime.sha256 },
  }
}

/** What the host wants, which is the newest before its first run. */
export async function programsFor(ctx: Context, wanted: Programs | null): Promise<ProgramFiles | string> {
  // Also puts the files of this release into the store.
  const newest = await newestPrograms(ctx)
  const programs = wanted ?? newest
  if (typeof programs === 'string') return programs
  const core = await keptCore(coreDirOf(ctx.config), programs.core.sha256)
  if (core === 'damaged') return obstacles.coreDamaged
  const agent = await keptAgentFile(ctx, 'agent', programs.agent.sha256)
  const node = await keptAgentFile(ctx, 'node', programs.node.sha256)
  return { programs, files: { core: core === 'none' ? '' : core.file, agent: agent ?? '', node: node ?? '' } }
}
