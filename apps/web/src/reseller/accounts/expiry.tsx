import type { Account } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '../../lib/use-language.ts'
import { When } from '../../shared/when.tsx'
import { expiryText } from './expiry-text.ts'

export function Expiry({ account }: { account: Account }) {
  const { t } = useTranslation('reseller')
  const language = useLanguage()
  return <When date={account.accountExpireDate} words={expiryText(t, language, account)} />
}
