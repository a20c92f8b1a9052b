import type { Context } from '../../context.ts'

/** The core's binary that hosts are given, which is a client too; null where the store has none. */
export const findCore = async (_ctx: Context): Promise<string | null> => null

/** PEM of the product's own authority, where it has one. */
export const ownAuthorities = async (_ctx: Context): Promise<readonly string[]> => []
