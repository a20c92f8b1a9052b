import type { Context } from '../../context.ts'
import { coreDirOf, coreInUse } from '../provisioning/provisioning.ts'

/** The hosts' core binary also works as a client; null if the store has no intact one. */
export async function findCore({ config }: Pick<Context, 'config'>): Promise<string | null> {
  const core = await coreInUse(coreDirOf(config))
  return typeof core === 'string' ? null : core.file
}
