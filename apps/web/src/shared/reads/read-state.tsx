import { Loading } from '../../ui/loading/loading.tsx'
import { ReadFailed } from './read-failed.tsx'

interface Props {
  read: { isPending: boolean; error: Error | null; refetch: () => unknown }
  failed: string
  size?: 'small' | 'medium'
}

/** Stands in for a read that has no data: a skeleton, or the failure with a retry. */
export const ReadState = ({ read, failed, size = 'medium' }: Props) =>
  read.isPending ? (
    <Loading mode="skeleton" size={size} />
  ) : (
    <ReadFailed error={read.error} text={failed} onRetry={() => void read.refetch()} />
  )
