import { getServers, getTunnels } from '@kelid/contract'
import type { ReactNode } from 'react'
import { isUnknownCall } from '../../../calls/unknown-call.ts'
import { useRead } from '../../../shared/reads/query.ts'
import { Loading } from '../../../ui/loading/loading.tsx'
import type { ListedServer } from './host.ts'

interface Props {
  serverUUID: string
  missing: ReactNode
  children: (server: ListedServer) => ReactNode
}

/** spec.md lists servers but has no call for one server. */
export function InList({ serverUUID, missing, children }: Props) {
  const { data, isPending } = useRead(getServers, {})
  const server = data?.items.find((one) => one.serverUUID === serverUUID)
  if (server) return children(server)
  return isPending ? <Loading mode="skeleton" /> : missing
}

/** spec.md has no list of tunnels; without it, the tunnel is assumed to exist. */
export function WithoutList({ missing, children }: { missing: ReactNode; children: ReactNode }) {
  const { error, isPending } = useRead(getTunnels, { limit: 1 })
  if (isUnknownCall(error)) return children
  return isPending ? <Loading mode="skeleton" /> : missing
}
