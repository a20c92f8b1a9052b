import type { HostBlock } from '@kelid/contract'

export type Target = Pick<HostBlock, 'accountTargetCountry' | 'accountTargetOperator'>

export const nameOfTarget = ({ accountTargetCountry, accountTargetOperator }: Target): string =>
  [accountTargetOperator, accountTargetCountry].filter(Boolean).join(' · ')
