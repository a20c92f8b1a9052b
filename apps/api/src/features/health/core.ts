import type { Context } from '../../context.ts'
import { coreDirOf, coreInUse } from '../provisioning/provisioning.ts'

/** The core's binary that hosts are given, which is a client too; null where the store has none that is whole. */
export async function findCore({ config }: Pick<Context, 'config'>): Promise<string | null> {
  const core = await coreInUse(coreDirOf(config))
  return typeof core === 'string' ? null : core.file
}
