/** Accounts and their secrets. */
export type Users = ReadonlyMap<string, string>

export interface Account {
  readonly id: string
  readonly revision: number
  readonly secret: string
  readonly enabled: boolean
  readonly expiresAt: string
  readonly maxDevices: number
  /** Older control planes do not send it, nor the following. */
  readonly refused?: { network: string; untilDate: string }[] | undefined
  /** In Mbit/s, for each direction. */
  readonly speedLimit?: number | undefined
  /** It is let in only with a lease of data. */
  readonly isLeased?: boolean | undefined
  /** Its days begin at first use, at the latest then; `expiresAt` counts from then. */
  readonly startsBy?: string | undefined
}

export const isActive = ({ enabled, expiresAt }: Account, now: number): boolean =>
  enabled && now < Date.parse(expiresAt)

export const activeOf = (accounts: readonly Account[], now: number): Users =>
  new Map(accounts.filter((account) => isActive(account, now)).map(({ id, secret }) => [id, secret]))

export interface Changes {
  readonly remove: readonly string[]
  readonly add: readonly (readonly [string, string])[]
}

/** A changed secret is a removal and an addition. */
export function changesBetween(current: Users, target: Users): Changes {
  return {
    remove: [...current].filter(([id, secret]) => target.get(id) !== secret).map(([id]) => id),
    add: [...target].filter(([id, secret]) => current.get(id) !== secret),
  }
}
