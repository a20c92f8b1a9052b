import type { SecureContext } from 'node:tls'
import type { ClientHello, ProbeOutcome } from '@kelid/contract'
import type { Reality } from '../../db/schema.ts'
import type { Quic } from '../hosts/quic.ts'

export interface Target {
  readonly address: string
  readonly port: number
  readonly name: string
  readonly authorities: readonly string[]
  readonly reality?: Reality | null
  readonly quic?: Quic
  /** Of Go without it. */
  readonly hello?: ClientHello
}

export interface ProbeTools {
  readonly core: string | null
  readonly trusted: SecureContext
}

export interface Probe {
  readonly maxParallel: number
  readonly run: (target: Target, tools: ProbeTools) => Promise<Finding>
}

export interface Finding {
  readonly outcome: ProbeOutcome
  readonly detail: string
  readonly certificate?: { readonly issuer: string; readonly until: Date }
}

const skippedOutcomes: readonly ProbeOutcome[] = [
  'OFF',
  'NO_CORE',
  'NO_TUNNEL',
  'NO_SERVER',
  'NO_ACCOUNT',
  'FORBIDDEN',
]

export const isTried = ({ outcome }: Pick<Finding, 'outcome'>): boolean => !skippedOutcomes.includes(outcome)

const longest = 200

/** The text may come from a malicious machine. */
export const clipDetail = (text: string): string =>
  text
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, longest)
