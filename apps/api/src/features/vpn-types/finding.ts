import type { SecureContext } from 'node:tls'
import type { ProbeOutcome } from '@kelid/contract'

export interface Target {
  readonly address: string
  readonly port: number
  /** The TLS name that is asked for. */
  readonly name: string
  /** PEM of authorities that are trusted beside those that everybody trusts. */
  readonly authorities: readonly string[]
}

/** What all probes of a round share. */
export interface ProbeTools {
  /** The core's program; null if there is none to run. */
  readonly core: string | null
  readonly trusted: SecureContext
}

/** How a VPN type is tried from outside, as a customer would. */
export interface Probe {
  readonly maxParallel: number
  readonly run: (target: Target, tools: ProbeTools) => Promise<Finding>
}

/** The result of one probe. */
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
