import type { Finding } from '@kelid/contract'
import { useCallback, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../shared/dialogs/dialog.tsx'
import { Button } from '../../ui/button.tsx'
import { adminShapes } from '../kit/shapes.ts'
import { Finder } from './finder.tsx'
import styles from './search-everywhere.module.css'

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

/** A slash typed into a field is text, and an open dialog owns the keyboard. */
const ignoresSlash = (target: EventTarget | null): boolean =>
  (target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')) ||
  document.querySelector('dialog[open]') !== null

/** Buffers keys typed after `/` until the field exists; the returned function takes them. */
function useSlash(onSlash: () => void): () => string {
  const report = useEffectEvent(onSlash)
  /** null unless a field is about to open. */
  const earlyKeys = useRef<string | null>(null)
  // A layout effect misses no key once the screen is visible.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (earlyKeys.current !== null) {
        if (event.key.length > 1) return
        earlyKeys.current += event.key
      } else {
        if (event.key !== '/' || ignoresSlash(event.target)) return
        earlyKeys.current = ''
        report()
      }
      event.preventDefault()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  return useCallback(() => {
    const keys = earlyKeys.current ?? ''
    earlyKeys.current = null
    return keys
  }, [])
}
