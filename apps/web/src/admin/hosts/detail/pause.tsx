import { setHostPaused } from '@kelid/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { notifyError } from '../../../calls/explain.ts'
import { notify } from '../../../lib/notices.ts'
import { useAct } from '../../../shared/reads/query.ts'
import { Button } from '../../../ui/button.tsx'
import { adminShapes } from '../../kit/shapes.ts'
import type { Host } from '../host/host.ts'
import { kinds } from '../host/kinds.ts'

/** Asks no confirmation, because one press undoes it. */
export function Pause({ host: { kind, uuid, name, isPaused } }: { host: Host }) {
  const { t } = useTranslation('admin')
  const client = useQueryClient()
  const { stale } = kinds[kind]
  const { mutateAsync, isPending } = useAct(setHostPaused, { refreshes: stale })
  /** A double click can arrive before React disables the button. */
  const isRunning = useRef(false)
  async function change() {
    if (isRunning.current) return
    isRunning.current = true
    try {
      await mutateAsync({
        body: { hostUUID: uuid, hostPaused: !isPaused, basedOn: { hostPaused: isPaused } },
      })
      notify(t(isPaused ? 'hosts.pause.resumed' : 'hosts.pause.done', { name }), 'success')
    } catch (error) {
      notifyError(t, error)
      for (const { path } of stale) void client.invalidateQueries({ queryKey: [path] })
    } finally {
      isRunning.current = false
    }
  }
  return (
    <Button
      icon={isPaused ? adminShapes.play : adminShapes.pause}
      isBusy={isPending}
      onClick={() => void change()}
    >
      {t(isPaused ? 'hosts.pause.resume' : 'hosts.pause.action')}
    </Button>
  )
}
