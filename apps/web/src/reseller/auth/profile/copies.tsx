import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notify } from '../../../lib/notices.ts'
import { emptyCopies } from '../../../shared/reads/keep-copies.ts'
import { Button } from '../../../ui/button.tsx'
import quiet from './signed-in-as.module.css'

export function Copies() {
  const { t } = useTranslation('reseller/auth')
  const [isBusy, setBusy] = useState(false)

  async function empty() {
    setBusy(true)
    await emptyCopies().then(
      () => notify(t('settings.copiesDeleted'), 'success'),
      () => notify(t('settings.copiesNotDeleted'), 'error'),
    )
    setBusy(false)
  }

  return (
    <>
      <p className={quiet.quiet}>{t('settings.copiesText')}</p>
      <div>
        <Button isBusy={isBusy} onClick={() => void empty()}>
          {t('settings.deleteCopies')}
        </Button>
      </div>
    </>
  )
}
