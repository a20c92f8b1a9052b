import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import {
  Loading,
  type LoadingProps,
  loadingModes,
  loadingSizes,
  loadingVariants,
} from '../ui/loading/loading.tsx'
import styles from './dev-loading-screen.module.css'

const shownMs = 2_000

export function DevLoadingScreen() {
  const [overlay, setOverlay] = useState<LoadingProps | null>(null)
  const show = (props: LoadingProps) => {
    setOverlay({ ...props, variant: 'full-screen' })
    setTimeout(() => setOverlay(null), shownMs)
  }
  return (
    <div className={styles.page}>
      <h1>Loading</h1>
      {loadingModes.map((mode) => (
        <section key={mode} className={styles.mode}>
          <h2>{mode}</h2>
          <div className={styles.samples}>
            {loadingVariants.flatMap((variant) =>
              loadingSizes.flatMap((size) =>
                [undefined, 42].map((value) => {
                  const props = { mode, size, ...(value !== undefined && { value }) }
                  const name = `${variant} ${size} ${value ?? 'indeterminate'}`
                  return (
                    <figure key={name} className={styles.sample}>
                      <figcaption>{name}</figcaption>
                      {variant === 'full-screen' ? (
                        <Button onClick={() => show(props)}>Show</Button>
                      ) : (
                        <Loading {...props} variant={variant}>
                          <span>…</span>
                        </Loading>
                      )}
                    </figure>
                  )
                }),
              ),
            )}
          </div>
        </section>
      ))}
      {overlay && <Loading {...overlay}>…</Loading>}
    </div>
  )
}
