import { limits, providerGigabyte } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { formatDate, formatNumber, formatPercent } from '../../../lib/format.ts'
import { useLanguage } from '../../../lib/use-language.ts'
import { Warning } from '../../../shared/dialogs/warning.tsx'
import { isolated } from '../../../shared/format-bytes.ts'
import type { Host } from '../host/host.ts'

function useQuotaTexts({ quota, quotaMonth }: Pick<Host, 'quota' | 'quotaMonth'>) {
  const language = useLanguage()
  if (!quotaMonth) return null
  const used = quotaMonth.quotaUsed / providerGigabyte
  return {
    used: isolated(formatNumber(Math.floor(used), language)),
    quota: isolated(formatNumber(quota, language)),
    // 99.9% is not all of it.
    share: isolated(formatPercent(Math.floor((used / quota) * 100) / 100, language)),
    date: formatDate(quotaMonth.quotaEndDate.slice(0, 10), language),
    warnsFrom: isolated(formatPercent(limits.lowDataShare, language)),
  }
}

export function QuotaUse({ host }: { host: Host }) {
  const { t } = useTranslation('admin')
  const texts = useQuotaTexts(host)
  return texts && t('hosts.quota.used', texts)
}

export function QuotaWarning({ host }: { host: Host }) {
  const { t } = useTranslation('admin')
  const texts = useQuotaTexts(host)
  const state = host.quotaMonth?.quotaState
  return texts && state ? <Warning>{t(`hosts.quota.${state}`, texts)}</Warning> : null
}
