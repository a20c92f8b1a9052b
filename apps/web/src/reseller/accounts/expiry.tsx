import type { Account } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { formatMoment } from '../../lib/format.ts'
import { useLanguage } from '../../lib/use-language.ts'
import { expiryText } from './expiry-text.ts'

/** How long it still runs, or since when it does not, with the exact moment on hover. */
export function Expiry({ account }: { account: Account }) {
  const { t } = useTranslation('reseller')
  const language = useLanguage()
  const date = account.accountExpireDate
  return (
    <time dateTime={date} title={formatMoment(date, language)}>
      {expiryText(t, language, account)}
    </time>
  )
}
