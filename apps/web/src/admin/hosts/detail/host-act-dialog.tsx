import type { Call } from '@kelid/contract'
import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { notify } from '../../../lib/notices.ts'
import { useAct } from '../../../shared/reads/query.ts'
import { ActDialog } from '../../kit/act-dialog.tsx'
import type { Host } from '../host/host.ts'
import { kinds } from '../host/kinds.ts'

interface Props extends Omit<ComponentProps<typeof ActDialog>, 'title' | 'confirm' | 'onConfirm'> {
  /** Its words are the title, the button and the notice. */
  act:
    | 'hosts.provision'
    | 'hosts.newKeys'
    | 'hosts.cancel'
    | 'hosts.ready'
    | 'hosts.remove'
    | 'hosts.replace'
    | 'hosts.stopReplacing'
    | 'agent.shrink'
    | 'agent.revoke'
  host: Host
  call: Call
  body?: Record<string, string | boolean>
  refreshes?: readonly Call[]
  onDone?: () => void
}

export function HostActDialog({ act, host: { kind, uuid, name }, call, onDone, ...rest }: Props) {
  const { body = { hostUUID: uuid }, refreshes = kinds[kind].stale, ...dialog } = rest
  const { t } = useTranslation('admin')
  const { mutateAsync } = useAct(call, { refreshes })
  return (
    <ActDialog
      {...dialog}
      title={t(`${act}.title`, { name })}
      confirm={t(`${act}.action`)}
      onConfirm={async () => {
        await mutateAsync({ body })
        notify(t(`${act}.done`, { name }), 'success')
        onDone?.()
      }}
    />
  )
}
