import { useTranslation } from 'react-i18next'
import { TextField } from '../../../ui/field.tsx'
import type { BoundField } from '../../kit/bind.ts'

/** Of hosts without REALITY, which shows strangers another site itself. */
export function SiteField(field: BoundField) {
  const { t } = useTranslation('admin')
  return <TextField {...field} label={t('servers.realityTarget')} hint={t('hosts.siteHint')} isLatin />
}
