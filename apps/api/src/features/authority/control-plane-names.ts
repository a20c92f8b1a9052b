import { isIP } from 'node:net'
import type { Config } from '../../config.ts'

type Addresses = Pick<Config, 'KELID_AGENT_URL' | 'KELID_AGENT_HOST' | 'KELID_PUBLIC_URL'>

const hostOf = (url: string) => new URL(url).hostname.replace(/^\[|\]$/g, '')

export const listenerName = ({ KELID_AGENT_URL, KELID_AGENT_HOST }: Addresses): string =>
  KELID_AGENT_URL ? hostOf(KELID_AGENT_URL) : KELID_AGENT_HOST

/** A certificate for such a name would let a server impersonate the control plane. */
export function isControlPlaneName(config: Addresses, name: string): boolean {
  const { KELID_PUBLIC_URL } = config
  const ownNames = [
    listenerName(config),
    config.KELID_AGENT_HOST,
    KELID_PUBLIC_URL && hostOf(KELID_PUBLIC_URL),
  ]
  return ownNames.some((ownName) => ownName.toLowerCase() === name.toLowerCase())
}

/** Servers have DNS names; an address or an internal name such as `node:…` is never a server's. */
export const isServerName = (config: Addresses, name: string): boolean =>
  !isIP(name) && !name.includes(':') && !isControlPlaneName(config, name)
