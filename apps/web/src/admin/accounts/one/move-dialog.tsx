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
import { accountReads } from './touched.ts'

export function MoveDialog({ account, onClose }: { account: AnyAccount; onClose: () => void }) {
  const { t } = useTranslation('admin')
  const move = useAct(moveAccount, { refreshes: accountReads })
  const { accountUUID, accountName: name } = account
  const { now, previous, readAgain } = useBasis(account, () => read(getAnyAccount, { accountUUID }))
  const [server, setServer] = useState<Host | null>(null)
  const [tunnel, setTunnel] = useState<Host | null>(null)
  const isMoving = (server && server.uuid !== now.serverUUID) || (tunnel && tunnel.uuid !== now.tunnelUUID)
  const describe = (serverName: string, tunnelName: string | null) => (
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
      <ServerField account={now} selected={server} onSelect={setServer} />
      {now.tunnelUUID && <TunnelField account={now} selected={tunnel} onSelect={setTunnel} />}
      <Preview
        previous={previous && describe(previous.serverName, previous.tunnelName)}
        now={describe(now.serverName, now.tunnelName)}
        after={isMoving ? describe(server?.name ?? now.serverName, tunnel?.name ?? now.tunnelName) : null}
      />
    </ActDialog>
  )
}
