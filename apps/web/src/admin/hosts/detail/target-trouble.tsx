import { useTranslation } from 'react-i18next'
import { Warning } from '../../../shared/dialogs/warning.tsx'
import { When } from '../../../shared/when.tsx'
import { Latin } from '../../kit/latin.tsx'
import type { Server } from '../host/host.ts'

/** What the regular check finds at the site that strangers see. */
export function TargetTrouble({ server }: { server: Server }) {
  const { t } = useTranslation('admin')
  const { serverTargetTrouble: trouble, serverRealityTarget: target } = server
  if (!trouble) return null
  return (
    <Warning>
      <When date={trouble.sinceDate} sentence={(when) => t('servers.realityTrouble', { when })} />{' '}
      <Latin>{target ?? ''}</Latin>.{' '}
      {trouble.targetProblems.map((problem) => t(`servers.realityCheck.${problem}`)).join(' ')}{' '}
      {t('servers.realityTroubleNext')}
    </Warning>
  )
}
