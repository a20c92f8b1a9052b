import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasReality, nodeLimits, type TroubleKind } from '@kelid/contract'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { reasonOf } from '../retry.ts'
import { checkCertificate, checkOwnCertificate } from './certificates.ts'
import { checkClock } from './clock.ts'
import { checkConntrack } from './conntrack.ts'
import { checkCore } from './core.ts'
import { checkDisk } from './disk.ts'
import { checkFirewall } from './firewall.ts'
import { checkFront } from './front.ts'
import { checkMemory } from './memory.ts'
import type { Check, Finding, Trouble } from './trouble.ts'

const every = 30_000
/** A repaired trouble stays visible, so that people and metrics notice it. */
const shownAfterRepair = 10 * 60_000

type Checks = Readonly<Record<string, Check>>

/** The certificate that somebody sees at this host; '' if it has none, as with REALITY and the site of others. */
export const certificateOf = ({
  kind,
  chain,
  siteCertificate,
}: Pick<Config, 'kind' | 'chain' | 'siteCertificate'>): string =>
  siteCertificate || (kind === 'tunnel' || hasReality(kind) ? '' : chain)

export const checksOf = (config: Config, clock: Clock, agent: Check): Checks => ({
  core: checkCore(config),
  firewall: checkFirewall(config),
  disk: checkDisk(['/', '/var/log', config.state, dirname(config.accessLog)]),
  memory: checkMemory,
  conntrack: checkConntrack,
  clock: checkClock(clock),
  ...(config.kind === 'tunnel' && { front: checkFront(config) }),
  ...(certificateOf(config) && { certificate: checkCertificate(certificateOf(config)) }),
  'agent certificate': checkOwnCertificate(config),
  agent,
})

export function createChecks(checks: Checks, say: (line: string) => void, now = () => performance.now()) {
  let troubles: readonly Trouble[] = []
  const repairs = new Map<TroubleKind, { detail: string; at: number }>()

  const attempt = async <T>(action: string, work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work()
    } catch (error) {
      say(`cannot ${action}: ${reasonOf(error)}`)
      return undefined
    }
  }

  async function repairFound({ kind, detail = '', repair }: Finding): Promise<void> {
    if (!repair || !(await attempt(`repair ${kind}`, repair))) return
    repairs.set(kind, { detail: plain(detail), at: now() })
    say(`repairing ${kind}`)
  }

  /** Returns whether troubles have begun or ended. */
  async function look(): Promise<boolean> {
    // A slow check holds up no repair.
    const looks = Object.entries(checks).map(async ([name, check]) => {
      const finding = await attempt(`check ${name}`, check)
      if (finding) await repairFound(finding)
      return finding
    })
    const found = (await Promise.all(looks)).filter((finding) => finding !== undefined)
    const present = found.map(({ kind, detail = '' }) => ({ kind, detail: plain(detail), repaired: false }))
    for (const [kind, { detail, at }] of repairs)
      if (now() - at > shownAfterRepair) repairs.delete(kind)
      else if (!found.some((finding) => finding.kind === kind)) present.push({ kind, detail, repaired: true })
    const before = troubles
    troubles = present
    if (namesOf(before) === namesOf(present)) return false
    say(`troubles: ${namesOf(present) || 'none'}`)
    return true
  }

  return {
    troubles: () => troubles,
    look,
    async run(signal: AbortSignal, onChange: () => void): Promise<void> {
      while (!signal.aborted) {
        if (await look()) onChange()
        await sleep(every, undefined, { signal }).catch(() => {})
      }
    },
  }
}

const namesOf = (troubles: readonly Trouble[]) =>
  troubles.map(({ kind, repaired }) => (repaired ? `${kind} (repaired)` : kind)).join(', ')

/** Cut first: half a surrogate pair would not be plain text. */
const plain = (text: string) =>
  text
    .slice(0, nodeLimits.detailMax)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
