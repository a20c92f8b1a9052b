import type { AccountState, AnyAccount } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import type { Shape } from '../../ui/icon.tsx'
import { Mark } from '../kit/mark.tsx'
import { adminShapes } from '../kit/shapes.ts'

const icons: Record<AccountState, Shape> = {
  active: adminShapes.done,
  limited: adminShapes.ban,
  disabled: adminShapes.close,
  expired: adminShapes.clock,
  abused: adminShapes.alert,
}

export function StateOfAccount({ account }: { account: AnyAccount }) {
  const { t } = useTranslation('admin')
  const { accountState: state, accountClosedBySuspension: isClosed } = account
  return (
    <Mark is={state === 'active' ? 'good' : 'bad'} icon={icons[state]}>
      {t(isClosed ? 'adminAccounts.closedWithOwner' : `adminAccounts.states.${state}`)}
    </Mark>
  )
}
