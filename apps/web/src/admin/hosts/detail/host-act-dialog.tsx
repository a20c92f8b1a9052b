import type { Call } from '@kelid/contract'
import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { notify } from '../../../lib/notices.ts'
import { useAct } from '../../../shared/reads/query.ts'
import { ActDialog } from '../../kit/act-dialog.tsx'
import type { Host } from '../host/host.ts'
import { kinds } from '../host/kinds.ts'

interface HostDialogProps extends Omit<ComponentProps<typeof ActDialog>, 'onConfirm'> {
  /** The notice when it is done. */
  done: string
  host: Host
  call: Call
  body?: Record<string, string | boolean>
  refreshes?: readonly Call[]
  onDone?: () => void
}

export function HostDialog({ host: { kind, uuid }, call, done, onDone, ...rest }: HostDialogProps) {
  const { body = { hostUUID: uuid }, refreshes = kinds[kind].stale, ...dialog } = rest
  const { mutateAsync } = useAct(call, { refreshes })
  return (
    <ActDialog
      {...dialog}
      onConfirm={async () => {
        await mutateAsync({ body })
        notify(done, 'success')
        onDone?.()
      }}
    />
  )
}

interface Props extends Omit<HostDialogProps, 'title' | 'confirm' | 'done'> {
  /** Its words are the title, the button and the notice. */
  act:
    | 'hosts.provision'
    | 'hosts.newKeys'
    | 'hosts.cancel'
    | 'hosts.ready'
    | 'hosts.remove'
    | 'agent.shrink'
    | 'agent.revoke'
}

export function HostActDialog({ act, ...rest }: Props) {
  const { t } = useTranslation('admin')
  const { name } = rest.host
  const texts = {
    title: t(`${act}.title`, { name }),
    confirm: t(`${act}.action`),
    done: t(`${act}.done`, { name }),
  }
  return <HostDialog {...rest} {...texts} />
}
