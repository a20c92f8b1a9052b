import { type AnyAccount, getAnyAccount, moveAccount } from '@kelid/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { read } from '../../../calls/api.ts'
import { notify } from '../../../lib/notices.ts'
import { useAct } from '../../../shared/reads/query.ts'
import { ActDialog } from '../../kit/act-dialog.tsx'
import { useBasis } from '../../kit/basis.ts'
import { Preview } from '../../kit/preview.tsx'
import { type Host, ServerField, TunnelField } from './host-fields.tsx'
import { showingAccount } from './touched.ts'

export function MoveDialog({ account, onClose }: { account: AnyAccount; onClose: () => void }) {
  const { t } = useTranslation('admin')
  const move = useAct(moveAccount, { refreshes: showingAccount })
  const { accountUUID, accountName: name } = account
  const { now, saw, readAgain } = useBasis(account, () => read(getAnyAccount, { accountUUID }))
  /** null keeps the current host. */
  const [server, setServer] = useState<Host | null>(null)
  const [tunnel, setTunnel] = useState<Host | null>(null)
  const isMoving = (server && server.uuid !== now.serverUUID) || (tunnel && tunnel.uuid !== now.tunnelUUID)
  const say = (serverName: string, tunnelName: string | null) => (
    <bdi>{tunnelName === null ? serverName : `${serverName} · ${tunnelName}`}</bdi>
  )
  return (
    <ActDialog
      title={t('adminAccounts.move.title', { name })}
      confirm={t('adminAccounts.move.action')}
      isReady={Boolean(isMoving)}
      onChanged={readAgain}
      onClose={onClose}
      onConfirm={async () => {
        const toTunnel = tunnel ? { toTunnelUUID: tunnel.uuid } : {}
        const toServerUUID = server?.uuid ?? now.serverUUID
        const basedOn = { serverUUID: now.serverUUID, tunnelUUID: now.tunnelUUID }
        await move.mutateAsync({ body: { accountUUID, toServerUUID, ...toTunnel, basedOn } })
        notify(t('adminAccounts.move.done', { name }), 'success')
      }}
    >
      <p>{t('adminAccounts.move.text')}</p>
      <ServerField account={now} chosen={server} onChoose={setServer} />
      {now.tunnelUUID && <TunnelField account={now} chosen={tunnel} onChoose={setTunnel} />}
      <Preview
        saw={saw && say(saw.serverName, saw.tunnelName)}
        now={say(now.serverName, now.tunnelName)}
        after={isMoving ? say(server?.name ?? now.serverName, tunnel?.name ?? now.tunnelName) : null}
      />
    </ActDialog>
  )
}
