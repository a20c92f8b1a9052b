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

/** A minute as the hosts report it: the exit who is connected, the entrance who moved bytes, at its end. */
export async function passMinute(
  { clock }: Product,
  exit: Pick<ServerNode, 'say'>,
  uses: readonly Use[],
  entrance: Pick<ServerNode, 'say'> = exit,
): Promise<void> {
  const ids = [...new Set(uses.map(({ id }) => id))]
  const now = () => clock.now().toISOString()
  const online = () =>
    ids.map((id) => ({
      id,
      devices: uses
        .filter((use) => use.id === id && use.isConnected !== false)
        .map(({ address }) => ({ address, seenAt: now() })),
    }))
  for (let part = 0; part < 3; part += 1) {
    await exit.say({ now: now(), online: online() })
    clock.advance(20_000)
  }
  const bits = new Map<string, number>()
  for (const { address, slices = allSlices } of uses) bits.set(address, (bits.get(address) ?? 0) | slices)
  const addresses = [...bits].map(([address, slices]) => ({ address, slices }))
  await exit.say({ now: now(), online: online() })
  await entrance.say({ now: now(), moved: { untilDate: now(), addresses } })
}

export async function passMinutes(
  product: Product,
  exit: Pick<ServerNode, 'say'>,
  minutes: readonly (readonly Use[])[],
  entrance?: Pick<ServerNode, 'say'>,
): Promise<void> {
  for (const uses of minutes) await passMinute(product, exit, uses, entrance)
}
