import type { Users } from './core.ts'

export interface Account {
  readonly id: string
  readonly revision: number
  readonly secret: string
  readonly enabled: boolean
  readonly expiresAt: string
  readonly maxDevices: number
}

export const isActive = ({ enabled, expiresAt }: Account, now: number): boolean =>
  enabled && now < Date.parse(expiresAt)

export const activeOf = (accounts: readonly Account[], now: number): Users =>
  new Map(accounts.filter((account) => isActive(account, now)).map(({ id, secret }) => [id, secret]))

export interface Changes {
  readonly remove: readonly string[]
  readonly add: readonly (readonly [string, string])[]
}

/** From what the core has to what it should have; another secret is a user who goes and one who comes. */
export function changesBetween(has: Users, wanted: Users): Changes {
  return {
    remove: [...has].filter(([id, secret]) => wanted.get(id) !== secret).map(([id]) => id),
    add: [...wanted].filter(([id, secret]) => has.get(id) !== secret),
  }
}
