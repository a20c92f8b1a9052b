import type { Config } from '../config.ts'
import { requestRepair } from './repair.ts'
import { ask, type Check } from './trouble.ts'

/** Shorter than the pause between two looks. */
const atMostEvery = 20_000

/** The rule for the core's user is part of every host's firewall; an emptied table lacks it. */
export const isFirewallLoaded = (listing: string): boolean => /\bskuid\b/.test(listing)

const listTable = (table: string): Promise<string> =>
  ask('/usr/sbin/nft', '--terse', 'list', 'table', 'inet', table).catch((error: Error) => {
    if (/No such file or directory/.test(error.message)) return ''
    throw error
  })

/** Without this table the machine accepts everything. */
export const isInputLoaded = (listing: string): boolean => /\bpolicy drop\b/.test(listing)

export const checkFirewall =
  ({ table, hasInput, loadFirewall }: Config): Check =>
  async () => {
    const isLoaded = isFirewallLoaded(await listTable(table))
    if (isLoaded && (!hasInput || isInputLoaded(await listTable('kelid-input')))) return undefined
    return { kind: 'firewall', repair: () => requestRepair(loadFirewall, atMostEvery) }
  }
