import { useTranslation } from 'react-i18next'
import { ChunkFailed } from '../lib/lazy-screen.tsx'
import { paths } from '../lib/paths.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import styles from '../ui/panel.module.css'
import { shapes } from '../ui/shapes.ts'

export function FailureScreen({ error, onRetry }: { error: unknown; onRetry: () => void }) {
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
