import type { AccountState } from '@kelid/contract'
import type { TFunction } from 'i18next'

/** The state of one account: the same in the list and on its page. An abused one is kept out, whoever switched it on. */
export const stateText = (t: TFunction<'reseller'>, state: AccountState): string =>
  state === 'abused'
    ? `${t('accounts.disabled')} · ${t('accounts.abused')}`
    : t(state === 'active' ? 'accounts.enabled' : `accounts.${state}`)
