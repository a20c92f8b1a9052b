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

/** A server as the list has it: spec.md has a list of servers and no call for one. */
export function InList({ serverUUID, missing, children }: Props) {
  const { data, isPending } = useRead(getServers, {})
  const server = data?.items.find((one) => one.serverUUID === serverUUID)
  if (server) return children(server)
  return isPending ? <Loading mode="skeleton" /> : missing
}

/** spec.md has no list of tunnels: where there is none, the tunnel is taken to exist. */
export function WithoutList({ missing, children }: { missing: ReactNode; children: ReactNode }) {
  const { error, isPending } = useRead(getTunnels, { limit: 1 })
  if (isUnknownCall(error)) return children
  return isPending ? <Loading mode="skeleton" /> : missing
}
