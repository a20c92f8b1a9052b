import type { Account } from '@kelid/contract'

const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )

export interface PurchaseKeys {
  /** The same purchase keeps its key for every attempt. */
  of(purchase: object): string
  /** Ends the key, because the next equal purchase is a new one. */
  done(purchase: object): void
}

export function createPurchaseKeys(): PurchaseKeys {
  const keys = new Map<string, string>()
  return {
    of(purchase) {
      const name = JSON.stringify(purchase)
      const key = keys.get(name) ?? randomKey()
      keys.set(name, key)
      return key
    },
    done: (purchase) => void keys.delete(JSON.stringify(purchase)),
  }
}

/**
 * The keys outlive the dialog: a retry from the same expiry date is the same renewal and charged once; from a later
 * date it is a new one.
 */
export const renewalKeys = createPurchaseKeys()

export const renewalOf = (
  { accountUUID, accountExpireDate, accountDataLimit = null }: Account,
  accountDuration: number,
  gigabytes: number,
) => ({ accountUUID, accountExpireDate, accountDataLimit, accountDuration, gigabytes })
