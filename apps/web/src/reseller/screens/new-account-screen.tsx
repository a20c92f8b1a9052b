import { timings } from '@kelid/contract'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { notify } from '../../lib/notices.ts'
import { paths } from '../../lib/paths.ts'
import { NewAccountChoice } from '../accounts/new/new-account-choice.tsx'
import styles from './new-account-screen.module.css'

export function NewAccountScreen() {
  const { t } = useTranslation('reseller')
  const navigate = useNavigate()
  const [isCreated, setCreated] = useState(false)
  useEffect(() => {
    if (!isCreated) return
    const timer = setTimeout(() => void navigate(paths.accounts), timings.afterCreateMs)
    return () => clearTimeout(timer)
  }, [isCreated, navigate])
  return (
    <div className={styles.screen}>
      <h1>{t('accounts.create')}</h1>
      <NewAccountChoice
        onCreated={(name) => {
          notify(t('accounts.created', { name }), 'success')
          setCreated(true)
        }}
      />
    </div>
  )
}
