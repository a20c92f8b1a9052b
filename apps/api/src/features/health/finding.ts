import type { ProbeOutcome } from '@kelid/contract'

/** What one try from outside has found. */
export interface Finding {
  readonly outcome: ProbeOutcome
  /** What the other side said; bounded, and text only wherever it is shown. */
  readonly detail: string
  readonly certificate?: { readonly issuer: string; readonly until: Date }
}

const untried: readonly ProbeOutcome[] = ['OFF', 'NO_CORE', 'NO_TUNNEL', 'NO_SERVER', 'FORBIDDEN']

/** Whether it says anything of the host. */
export const isTried = ({ outcome }: Pick<Finding, 'outcome'>): boolean => !untried.includes(outcome)

const longest = 200

/** Of a text that a stranger's machine may have written. */
export const bounded = (text: string): string =>
  text
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, longest)
