import { appsOf, importLink, systemOf, systems, type VpnType } from '@kelid/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SelectField } from '../../../ui/field.tsx'
import styles from './import-buttons.module.css'

interface Props {
  name: string
  /** Of all ways. */
  vpnTypes: readonly VpnType[]
  subscriptionUrl: string
}

export function ImportButtons({ name, vpnTypes, subscriptionUrl }: Props) {
  const { t } = useTranslation('reseller')
  const [system, setSystem] = useState(() => systemOf(navigator.userAgent))
  return (
    <div className={styles.import}>
      <SelectField
        label={t('accounts.import.system')}
        value={system}
        onValue={setSystem}
        hint={t('accounts.import.hint')}
        options={systems.map((value) => ({ value, label: t(`accounts.import.systems.${value}`) }))}
      />
      <ul className={styles.apps}>
        {appsOf(system, vpnTypes).map((app, index) => {
          const href = importLink(app, subscriptionUrl, name)
          if (href === null) return null
          return (
            <li key={app}>
              <a
                className={styles.app}
                data-first={index === 0}
                href={href}
                title={t('accounts.import.with', { app })}
              >
                <bdi>{app}</bdi>
              </a>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
