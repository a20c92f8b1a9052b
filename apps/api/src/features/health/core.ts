import type { Context } from '../../context.ts'

/** The core's binary that hosts are given, which is a client too; null where the store has none. */
export const findCore = async (_ctx: Context): Promise<string | null> => null
