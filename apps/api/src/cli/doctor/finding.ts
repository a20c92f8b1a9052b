import type { Config } from '../../config.ts'

export interface Finding {
  readonly isProblem: boolean
  readonly text: string
}

export const fine = (text: string): Finding => ({ isProblem: false, text })
export const problem = (text: string): Finding => ({ isProblem: true, text })

export type Examine = (config: Config) => Promise<Finding[]>
