import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readStored, writeStored } from '../../lib/stored.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import styles from './offer.module.css'

/** On this device somebody has said "later". Not among the keys that every visitor's program carries. */
const key = 'kelid.second-factor'

/** Once on every device, to whoever has no second factor and need not have one. */
export function SecondFactorOffer({ to }: { to: string }) {
  const { t } = useTranslation('admin')
  const [isLater, setLater] = useState(() => readStored(key) !== null)
  if (isLater) return null
  return (
    <aside className={styles.offer} aria-label={t('secondFactor.title')}>
      <p>{t('secondFactor.offer')}</p>
      <div className={styles.actions}>
        <LinkButton to={to}>{t('secondFactor.setUp')}</LinkButton>
        <Button
          onClick={() => {
            writeStored(key, 'later')
            setLater(true)
          }}
        >
          {t('secondFactor.later')}
        </Button>
      </div>
    </aside>
  )
}
