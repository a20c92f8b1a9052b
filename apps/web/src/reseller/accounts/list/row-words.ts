import { type Account, type AccountState, accountStates, gigabyte, type Language } from '@kelid/contract'
import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDate } from '../../../lib/format.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { formatBytes, isolated } from '../../../shared/format-bytes.ts'
import { expiryText } from '../expiry-text.ts'
import { stateText } from '../state-text.ts'

/** All rows share these texts, because a translation per row costs more than the row. */
export interface RowWords {
  readonly states: Record<AccountState, string>
  select(name: string): string
  date(account: Pick<Account, 'accountExpireDate'>): string
  used(account: Pick<Account, 'usageTotal' | 'accountDataLimit' | 'accountDataUsed'>): string
  readonly online: string
  readonly never: string
  lastSeen(when: string): string
  expiry(account: Pick<Account, 'accountDuration' | 'accountExpireDate'>): string
}

export function rowWords(t: TFunction<'reseller'>, language: Language): RowWords {
  const states = Object.fromEntries(accountStates.map((state) => [state, stateText(t, state)]))
  const aroundName = t('accounts.select', { name: '\n' }).split('\n')
  const aroundLimit = t('accounts.data.used', { used: '\n', limit: '\r' })
  const aroundSeen = t('accounts.usage.seen', { when: '\n' }).split('\n')
  const daysLeft = new Map<number, string>()
  return {
    states: states as Record<AccountState, string>,
    select: (name) => aroundName.join(name),
    used: ({ usageTotal, accountDataLimit: limit, accountDataUsed = 0 }) =>
      limit
        ? aroundLimit
            .replace('\n', isolated(formatBytes(accountDataUsed, language)))
            .replace('\r', isolated(formatBytes(limit * gigabyte, language)))
        : formatBytes((usageTotal?.up ?? 0) + (usageTotal?.down ?? 0), language),
    online: t('accounts.usage.online'),
    never: t('accounts.usage.never'),
    lastSeen: (when) => aroundSeen.join(when),
    date: ({ accountExpireDate }) => formatDate(accountExpireDate, language),
    expiry(account) {
      const cachedText = account.accountDuration > 0 && daysLeft.get(account.accountDuration)
      if (cachedText) return cachedText
      const text = expiryText(t, language, account)
      daysLeft.set(account.accountDuration, text)
      return text
    },
  }
}

export function useRowWords(): RowWords {
  const { t } = useTranslation('reseller')
  const language = useLanguage()
  return useMemo(() => rowWords(t, language), [t, language])
}
