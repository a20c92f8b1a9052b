import { Component, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ChunkFailed, retryFailedScreens } from '../lib/lazy-screen.tsx'
import { paths } from '../lib/paths.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import styles from '../ui/panel.module.css'
import { shapes } from '../ui/shapes.ts'

interface State {
  error: unknown
  hasFailed: boolean
}

/** Keeps the bars usable when a screen throws. */
export class ErrorBoundary extends Component<{ pathname: string; children: ReactNode }, State> {
  override state: State = { error: null, hasFailed: false }

  static getDerivedStateFromError(error: unknown): State {
    return { error, hasFailed: true }
  }

  override componentDidUpdate(before: { pathname: string }) {
    if (before.pathname !== this.props.pathname && this.state.hasFailed) this.tryAgain()
  }

  tryAgain = () => {
    retryFailedScreens()
    this.setState({ error: null, hasFailed: false })
  }

  override render() {
    const { error, hasFailed } = this.state
    return hasFailed ? <FailureScreen error={error} onRetry={this.tryAgain} /> : this.props.children
  }
}

function FailureScreen({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation()
  const isChunk = error instanceof ChunkFailed
  return (
    <div className={styles.panel} role="alert">
      <h1>{t(isChunk ? 'client.chunkFailed' : 'failure.title')}</h1>
      <p>{t(isChunk ? 'failure.chunkText' : 'failure.text')}</p>
      {!isChunk && error instanceof Error && (
        <p className={styles.aside}>
          <bdi>{error.message}</bdi>
        </p>
      )}
      <div className={styles.actions}>
        <Button kind="primary" icon={shapes.renew} onClick={onRetry}>
          {t('failure.retry')}
        </Button>
        <Button onClick={() => location.reload()}>{t('failure.reload')}</Button>
        <LinkButton to={paths.home} icon={shapes.home}>
          {t('shell.home')}
        </LinkButton>
      </div>
    </div>
  )
}
