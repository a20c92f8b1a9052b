import { useTranslation } from 'react-i18next'
import { TextField } from '../../../ui/field.tsx'
import type { BoundField } from '../../kit/bind.ts'
import { MonthDayField } from '../../kit/month-day-field.tsx'
import { FieldGroup } from './field-group.tsx'
import styles from './form.module.css'

/** What the provider lets the machine carry each month. */
export function QuotaFields({ quota, day }: { quota: BoundField; day: BoundField }) {
  const { t } = useTranslation('admin')
  return (
    <FieldGroup title={t('hosts.quota.title')} text={t('hosts.quota.text')}>
      <div className={styles.pair}>
        <TextField
          {...quota}
          label={t('hosts.quota.gigabytes')}
          hint={t('hosts.quota.hint')}
          inputMode="numeric"
          isLatin
        />
        <MonthDayField {...day} label={t('hosts.quota.day')} hint={t('hosts.quota.dayHint')} />
      </div>
    </FieldGroup>
  )
}
