import { getSecondFactor } from '@kelid/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { sessionStore } from '../../../lib/session.ts'
import { useStore } from '../../../lib/store.ts'
import { readStored, writeStored } from '../../../lib/stored.ts'
import { useRead } from '../../../shared/reads/query.ts'
import { Button, LinkButton } from '../../../ui/button.tsx'
import { adminPaths } from '../../paths.ts'
import styles from './offer.module.css'

/** Which session has said "later". Not among the keys that every visitor's program carries. */
const key = 'kelid.second-factor'

/** Enough to tell one session from another, and nothing to come in by. */
const endOf = (token = ''): string => token.slice(-6)

/** Once after every sign-in, on whatever an administrator opens first, to whoever has no second factor. */
export function SecondFactorOffer() {
  const { t } = useTranslation('admin/door')
  const { pathname } = useLocation()
  const session = endOf(useStore(sessionStore)?.token)
  const [later, setLater] = useState(() => readStored(key))
  const { data: factor } = useRead(getSecondFactor, {})
  if (!factor || factor.isOn || later === session || pathname === adminPaths.security) return null
  return (
    <aside className={styles.offer} aria-label={t('offer.title')}>
      <p>{t('offer.text')}</p>
      <div className={styles.actions}>
        <LinkButton to={adminPaths.security}>{t('offer.setUp')}</LinkButton>
        <Button
          onClick={() => {
            writeStored(key, session)
            setLater(session)
          }}
        >
          {t('offer.later')}
        </Button>
      </div>
    </aside>
  )
}
