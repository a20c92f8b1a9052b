import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { sessionStore } from '../../lib/session.ts'
import { useStore } from '../../lib/store.ts'
import { readStored, writeStored } from '../../lib/stored.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import styles from './offer.module.css'

/** Which session has said "later". Not among the keys that every visitor's program carries. */
const key = 'kelid.second-factor'

/** Enough to tell one session from another, and nothing to come in by. */
const endOf = (token = ''): string => token.slice(-6)

/** Once after every sign-in, to whoever has no second factor and need not have one. */
export function SecondFactorOffer({ to }: { to: string }) {
  const { t } = useTranslation('admin')
  const session = endOf(useStore(sessionStore)?.token)
  const [later, setLater] = useState(() => readStored(key))
  if (later === session) return null
  return (
    <aside className={styles.offer} aria-label={t('secondFactor.title')}>
      <p>{t('secondFactor.offer')}</p>
      <div className={styles.actions}>
        <LinkButton to={to}>{t('secondFactor.setUp')}</LinkButton>
        <Button
          onClick={() => {
            writeStored(key, session)
            setLater(session)
          }}
        >
          {t('secondFactor.later')}
        </Button>
      </div>
    </aside>
  )
}
