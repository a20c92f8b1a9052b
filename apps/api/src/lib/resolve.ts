import { lookup } from 'node:dns/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves like every program on this machine; empty without an answer in time. */
export type Resolve = (name: string) => Promise<string[]>

const timeoutMs = 5_000

export const resolveName: Resolve = async (name) => {
  const addresses = await Promise.race([
    lookup(name, { all: true }).catch(() => []),
    sleep(timeoutMs, [], { ref: false }),
  ])
  return addresses.map(({ address }) => address)
}
