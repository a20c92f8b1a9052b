import { lookup } from 'node:dns/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** The addresses behind a name, as every program on this machine sees them; none when there is no answer in time. */
export type Resolve = (name: string) => Promise<string[]>

const patience = 5_000

export const resolveName: Resolve = async (name) => {
  const found = await Promise.race([
    lookup(name, { all: true }).catch(() => []),
    sleep(patience, [], { ref: false }),
  ])
  return found.map(({ address }) => address)
}
