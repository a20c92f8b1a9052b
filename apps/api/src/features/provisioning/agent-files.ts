import type { Context } from '../../context.ts'

export interface AgentFile {
  file: string
  sha256: string
}

/** What a node runs: a program and its runtime, each with its digest. */
export const agentFiles = async (_ctx: Context): Promise<{ runtime: AgentFile; bundle: AgentFile }> => ({
  runtime: { file: process.execPath, sha256: '' },
  bundle: { file: '', sha256: '' },
})
