import type { Account, AccountState } from '@kelid/contract'
import type { TFunction } from 'i18next'

/** A server that implements only spec.md does not send the state. */
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

/** An abused account is blocked even if its owner enables it. */
export const stateText = (t: TFunction<'reseller'>, state: AccountState): string =>
  state === 'abused'
    ? `${t('accounts.disabled')} · ${t('accounts.abused')}`
    : t(state === 'active' ? 'accounts.enabled' : `accounts.${state}`)
