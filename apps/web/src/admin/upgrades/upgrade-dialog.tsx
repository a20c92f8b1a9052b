import type { Call } from '@kelid/contract'
import type { ReactNode } from 'react'
import type { Body } from '../../calls/api.ts'
import { notify } from '../../lib/notices.ts'
import { useAct } from '../../shared/reads/query.ts'
import { ActDialog } from '../kit/act-dialog.tsx'
import { upgradeReads } from './use-upgrade-reads.ts'

interface Props<C extends Call> {
  call: C
  body: Body<C>
  title: string
  confirm: string
  dismiss?: string
  done: string
  onClose: () => void
  children: ReactNode
}

export function UpgradeDialog<C extends Call>({ call, body, done, children, ...dialog }: Props<C>) {
  const { mutateAsync } = useAct(call, { refreshes: upgradeReads })
  return (
    <ActDialog
      {...dialog}
      onConfirm={async () => {
        await mutateAsync({ body })
        notify(done, 'success')
      }}
    >
      {children}
    </ActDialog>
  )
}
