import type { TroubleKind } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { Latin } from './latin.tsx'

interface Props {
  trouble: TroubleKind
  /** Written by the host. */
  detail: string
  repaired: boolean
}

export function TroubleText({ trouble, detail, repaired }: Props) {
  const { t } = useTranslation('admin')
  return (
    <span>
      {t(`hostTroubles.${trouble}`)}
      {detail && ' '}
      {detail && <Latin>{detail}</Latin>}
      {repaired && ` ${t('hostTroubles.repaired')}`}
    </span>
  )
}
