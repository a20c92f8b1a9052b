import { getSecondFactor, getSettings, setSettings } from '@kelid/contract'
import { useTranslation } from 'react-i18next'
import { notifyError } from '../../../calls/explain.ts'
import { notify } from '../../../lib/notices.ts'
import { useAct, useRead } from '../../../shared/reads/query.ts'
import { Switch } from '../../../ui/switch.tsx'
import { Section } from '../../kit/section.tsx'
import styles from './second-factor.module.css'

/** Only administrators with a second factor see it, so that nobody locks themselves out. */
export function RequiredSwitch() {
  const { t } = useTranslation('admin/second-factor')
  const settings = useRead(getSettings, {})
  const change = useAct(setSettings, { refreshes: [getSettings, getSecondFactor] })
  if (!settings.data) return null
  const { secondFactor } = settings.data
  const choose = (isRequired: boolean) =>
    change.mutate(
      { body: { secondFactor: isRequired ? 'required' : 'optional', basedOn: { secondFactor } } },
      {
        onSuccess: () => notify(t('secondFactor.saved'), 'success'),
        onError: (error) => {
          notifyError(t, error)
          void settings.refetch()
        },
      },
    )
  return (
    <Section title={t('secondFactor.everybody')}>
      <div className={styles.narrow}>
        <Switch
          label={t('secondFactor.required')}
          isOn={secondFactor === 'required'}
          onChange={choose}
          disabled={change.isPending}
        />
      </div>
      <p className={styles.quiet}>{t('secondFactor.requiredText')}</p>
    </Section>
  )
}
