import type { Account } from '@kelid/contract'

const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )

export interface PurchaseKeys {
  /** The same purchase has the same key however often it is tried. */
  of(purchase: object): string
  /** It went through: the next one like it is another purchase. */
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
 * A renewal without an answer may have gone through. Tried again from the same expiry date, it is the same
 * renewal and is charged once; from a later date it is a new one. So the keys outlive the dialog.
 */
export const renewalKeys = createPurchaseKeys()

export const renewalOf = ({ accountUUID, accountExpireDate }: Account, accountDuration: number) => ({
  accountUUID,
  accountExpireDate,
  accountDuration,
})
