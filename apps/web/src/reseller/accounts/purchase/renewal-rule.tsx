import { getUserCredit, type Renewal } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import styles from '../../../shared/dialogs/dialog-form.module.css'
import { useRead } from '../../../shared/reads/query.ts'
import { useReadNotice } from '../../../shared/reads/use-read-notice.ts'

/** The balance says it before the first quote. */
export function RenewalRule({ quoted }: { quoted: Renewal | null | undefined }) {
  const { t } = useTranslation('reseller')
  const credit = useRead(getUserCredit, {})
  useReadNotice(credit.error, t('client.fetchingCredit'))
  const rule = quoted ?? credit.data?.renewal
  return rule && <p className={styles.rule}>{t(`accounts.renew.${rule}`)}</p>
}
