import { looks } from '@kelid/contract'
import { type CSSProperties, type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { formatPercent } from '../../lib/format.ts'
import { useLanguage } from '../../lib/use-language.ts'
import { Skeleton } from '../skeleton.tsx'
import styles from './loading.module.css'

export const loadingModes = ['circular', 'linear', 'skeleton', 'dots', 'custom'] as const
export const loadingSizes = ['small', 'medium', 'large'] as const
export const loadingVariants = ['standard', 'inline', 'full-screen'] as const

export interface LoadingProps {
  mode?: (typeof loadingModes)[number]
  size?: (typeof loadingSizes)[number]
  variant?: (typeof loadingVariants)[number]
  color?: 'primary' | 'inherit'
  /** 0 to 100; without it, the progress is indeterminate. */
  value?: number
  label?: string
  children?: ReactNode
}

const clamp = (value: number) => Math.min(100, Math.max(0, Math.round(value)))

export function Loading({
  mode = 'circular',
  size = 'medium',
  variant = 'standard',
  color = 'primary',
  value,
  label,
  children,
}: LoadingProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const progress = value === undefined ? undefined : clamp(value)
  const isProgress = progress !== undefined || (mode !== 'skeleton' && mode !== 'custom')
  const pixels = looks.loadingSizes[size]
  const style = {
    '--size': `${pixels}px`,
    '--value': progress ?? 25,
    '--bar-height': `${looks.loadingBarHeight}px`,
  } as CSSProperties
  const indicator = (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles take a label
    <div
      className={`${styles.loading} ${styles[variant]} ${styles[color]}`}
      style={style}
      role={isProgress ? 'progressbar' : 'status'}
      aria-label={label ?? t('ui.loading')}
      aria-valuenow={progress}
      data-mode={mode}
      data-size={size}
      data-variant={variant}
    >
      {mode === 'circular' && <Circle isDeterminate={progress !== undefined} />}
      {mode === 'linear' && (
        <span className={styles.bar} data-known={progress !== undefined}>
          <span />
        </span>
      )}
      {mode === 'skeleton' && <Skeleton />}
      {mode === 'dots' && (
        <span className={styles.dots} aria-hidden="true">
          <span />
          <span />
          <span />
        </span>
      )}
      {mode === 'custom' && children}
      {progress !== undefined && (
        <span className={styles.value}>{formatPercent(progress / 100, language)}</span>
      )}
    </div>
  )
  return variant === 'full-screen' ? <Above>{indicator}</Above> : indicator
}

/** A native modal dialog covers other open dialogs and blocks what is below. */
function Above({ children }: { children: ReactNode }) {
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={ref}
      className={styles.above}
      // Escape must not end the work in progress.
      onClose={({ currentTarget }) => currentTarget.open || currentTarget.showModal()}
    >
      {children}
    </dialog>
  )
}

const Circle = ({ isDeterminate }: { isDeterminate: boolean }) => (
  <svg className={styles.circle} viewBox="0 0 44 44" data-known={isDeterminate} aria-hidden="true">
    <circle cx="22" cy="22" r="20" pathLength="100" />
  </svg>
)
