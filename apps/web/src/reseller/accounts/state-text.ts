import type { Account, AccountState } from '@kelid/contract'
import type { TFunction } from 'i18next'

/** As the server says it, or where it does not, by the fields of spec.md. */
export const stateOf = ({
  accountState,
  accountAbuse,
  accountEnabled,
  accountDuration,
}: Account): AccountState => {
  if (accountState) return accountState
  if (accountAbuse) return 'abused'
  if (!accountEnabled) return 'disabled'
  return accountDuration > 0 ? 'active' : 'expired'
}

/** The state of one account: the same in the list and on its page. An abused one is kept out, whoever switched it on. */
export const stateText = (t: TFunction<'reseller'>, state: AccountState): string =>
  state === 'abused'
    ? `${t('accounts.disabled')} · ${t('accounts.abused')}`
    : t(state === 'active' ? 'accounts.enabled' : `accounts.${state}`)
