import { RefusedByServer } from '@kelid/contract'
import { ReadFailed } from '../../shared/reads/read-failed.tsx'
import { useReadNotice } from '../../shared/reads/use-read-notice.ts'
import { LinkButton } from '../../ui/button.tsx'
import styles from '../../ui/screen.module.css'
import { adminShapes } from './shapes.ts'

export interface MissingWords {
  missingText: string
  to: string
  toLabel: string
  failed: string
}

interface Props extends MissingWords {
  error: Error
  onRetry: () => void
}

/** An invalid name is refused as INCOMPLETE_INFORMATION. */
export const isMissing = (error: unknown): boolean =>
  error instanceof RefusedByServer && ['RESOURCE_NOT_FOUND', 'INCOMPLETE_INFORMATION'].includes(error.type)

export function Missing({ error, missingText, to, toLabel, failed, onRetry }: Props) {
  useReadNotice(error, failed)
  if (!isMissing(error)) return <ReadFailed error={error} text={failed} onRetry={onRetry} />
  return (
    <div className={styles.empty}>
      <p>{missingText}</p>
      <LinkButton icon={adminShapes.back} to={to}>
        {toLabel}
      </LinkButton>
    </div>
  )
}
