import { movement } from '@kelid/contract'
import type { ServerNode } from './nodes.ts'
import type { Product } from './product.ts'

export interface Use {
  readonly id: string
  readonly address: string
  /** A bit for each slice of the minute in which it moves bytes; all by default. */
  readonly slices?: number
  /** false: its connections have ended. */
  readonly isConnected?: boolean
}

export const allSlices = 2 ** movement.slices - 1

export interface UsedHost {
  readonly exit: Pick<ServerNode, 'say'>
  readonly entrance?: Pick<ServerNode, 'say'>
  readonly uses: readonly Use[]
  /** How long before the others its minute ended, in ms. */
  readonly earlier?: number
}

/** A minute as the hosts report it: exits who is connected, entrances who moved bytes, at its end. */
export async function passMinuteAt({ clock }: Product, hosts: readonly UsedHost[]): Promise<void> {
  const now = (earlier = 0) => new Date(clock.now().getTime() - earlier).toISOString()
  const online = (uses: readonly Use[]) =>
    [...new Set(uses.map(({ id }) => id))].map((id) => ({
      id,
      devices: uses
        .filter((use) => use.id === id && use.isConnected !== false)
        .map(({ address }) => ({ address, seenAt: now() })),
    }))
  const sayOnline = async () => {
    for (const { exit, uses } of hosts) await exit.say({ now: now(), online: online(uses) })
  }
  for (let part = 0; part < 3; part += 1) {
    await sayOnline()
    clock.advance(20_000)
  }
  await sayOnline()
  for (const { exit, entrance = exit, uses, earlier } of hosts) {
    const bits = new Map<string, number>()
    for (const { address, slices = allSlices } of uses) bits.set(address, (bits.get(address) ?? 0) | slices)
    const addresses = [...bits].map(([address, slices]) => ({ address, slices }))
    await entrance.say({ now: now(), moved: { untilDate: now(earlier), addresses } })
  }
}

export const passMinute = (
  product: Product,
  exit: Pick<ServerNode, 'say'>,
  uses: readonly Use[],
  entrance: Pick<ServerNode, 'say'> = exit,
): Promise<void> => passMinuteAt(product, [{ exit, uses, entrance }])

export async function passMinutes(
  product: Product,
  exit: Pick<ServerNode, 'say'>,
  minutes: readonly (readonly Use[])[],
  entrance?: Pick<ServerNode, 'say'>,
): Promise<void> {
  for (const uses of minutes) await passMinute(product, exit, uses, entrance)
}
