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

/** This is not in storageKeys, because every visitor downloads those. */
const key = 'kelid.second-factor'

/** The suffix tells sessions apart but cannot impersonate one. */
const sessionSuffix = (token = ''): string => token.slice(-6)

export function SecondFactorOffer() {
  const { t } = useTranslation('admin/entry')
  const { pathname } = useLocation()
  const session = sessionSuffix(useStore(sessionStore)?.token)
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
