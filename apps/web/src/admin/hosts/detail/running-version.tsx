import { getHostFigures } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../../shared/reads/query.ts'
import { Latin } from '../../kit/latin.tsx'

/** What the agent reports; the entered versions are notes. */
export function RunningVersion({ hostUUID }: { hostUUID: string }) {
  const { t } = useTranslation('admin')
  const { data } = useRead(getHostFigures, { hostUUID })
  if (!data?.agentVersion) return '–'
  return <Latin>{t('hosts.runs', { core: data.coreVersion || '–', agent: data.agentVersion })}</Latin>
}
