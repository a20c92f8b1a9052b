import type { Finding } from '@kelid/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../shared/dialogs/dialog.tsx'
import { Button } from '../../ui/button.tsx'
import { adminShapes } from '../kit/shapes.ts'
import { Finder } from './finder.tsx'
import styles from './search-everywhere.module.css'
import { useSlash } from './use-slash.ts'

interface Props {
  pathOf: (finding: Finding) => string
  isByKeyAlone?: boolean
}

export function SearchEverywhere({ pathOf, isByKeyAlone = false }: Props) {
  const { t } = useTranslation('admin')
  const [isOpen, setOpen] = useState(false)
  const takeTyped = useSlash(() => setOpen(true))
  const close = () => {
    takeTyped()
    setOpen(false)
  }
  return (
    <>
      {!isByKeyAlone && (
        <Button icon={adminShapes.search} onClick={() => setOpen(true)} aria-keyshortcuts="/">
          {t('finder.open')}
          <span className={styles.key} aria-hidden="true">
            /
          </span>
        </Button>
      )}
      {isOpen && (
        <Dialog title={t('finder.title')} onClose={close}>
          <Finder pathOf={pathOf} takeEarlyKeys={takeTyped} onChosen={close} />
        </Dialog>
      )}
    </>
  )
}
