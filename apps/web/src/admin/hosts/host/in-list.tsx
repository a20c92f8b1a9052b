import { getServers, getTunnels } from '@kelid/contract'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isUnknownCall } from '../../../calls/unknown-call.ts'
import { lookUp } from '../../../lib/look-up.ts'
import { useRead } from '../../../shared/reads/query.ts'
import { ReadFailed } from '../../../shared/reads/read-failed.tsx'
import { Loading } from '../../../ui/loading/loading.tsx'
import { Screen } from '../../kit/screen.tsx'
import type { ListedServer } from './host.ts'

interface Props {
  title: string
  serverUUID: string
  children: (server: ListedServer) => ReactNode
}

/** The server as the list has it, for a server that keeps spec.md: it lists servers and shows none by itself. */
export function InList({ title, serverUUID, children }: Props) {
  const { data, isPending, refetch } = useRead(getServers, {})
  const server = data?.items.find((one) => one.serverUUID === serverUUID)
  if (server) return children(server)
  return <Absent title={title} isPending={isPending} onRetry={() => void refetch()} />
}

/** A server that keeps spec.md lists no tunnels either: then its word has to be taken for the UUID. */
export function UnlistedTunnel({ title, children }: { title: string; children: ReactNode }) {
  const { error, isPending, refetch } = useRead(getTunnels, { limit: 1 })
  if (isUnknownCall(error)) return children
  return <Absent title={title} isPending={isPending} onRetry={() => void refetch()} />
}

interface AbsentProps {
  title: string
  isPending: boolean
  onRetry: () => void
}

function Absent({ title, isPending, onRetry }: AbsentProps) {
  const { t } = useTranslation('admin')
  return (
    <Screen title={title}>
      {isPending ? (
        <Loading mode="skeleton" />
      ) : (
        <ReadFailed text={lookUp(t, 'errors.RESOURCE_NOT_FOUND')} onRetry={onRetry} />
      )}
    </Screen>
  )
}
